#include "textflag.h"

// ROW multiplies the quad at A with the three quads in Y9 to Y11 and adds the products
// to S0 to S2. It uses Y12 to Y15.
#define ROW(A, S0, S1, S2) \
	VMOVUPD (A)(AX*1), Y12 \
	VMULPD  Y9, Y12, Y13   \
	VMULPD  Y10, Y12, Y14  \
	VMULPD  Y11, Y12, Y15  \
	VADDPD  Y13, S0, S0    \
	VADDPD  Y14, S1, S1    \
	VADDPD  Y15, S2, S2

// func tileQuads(sums *lanes, a, b *float64, stride, quads int)
TEXT ·tileQuads(SB), NOSPLIT, $0-40
	MOVQ   sums+0(FP), DI
	MOVQ   a+8(FP), SI
	MOVQ   b+16(FP), R10
	MOVQ   stride+24(FP), DX
	MOVQ   quads+32(FP), CX
	LEAQ   (SI)(DX*1), R8
	LEAQ   (SI)(DX*2), R9
	LEAQ   (R10)(DX*1), R11
	LEAQ   (R10)(DX*2), R12
	XORQ   AX, AX               // the position in bytes

	VMOVUPD (DI), Y0            // the sums of the first row: Y0 to Y2
	VMOVUPD 32(DI), Y1
	VMOVUPD 64(DI), Y2
	VMOVUPD 96(DI), Y3          // of the second: Y3 to Y5
	VMOVUPD 128(DI), Y4
	VMOVUPD 160(DI), Y5
	VMOVUPD 192(DI), Y6         // of the third: Y6 to Y8
	VMOVUPD 224(DI), Y7
	VMOVUPD 256(DI), Y8

quad:
	VMOVUPD (R10)(AX*1), Y9
	VMOVUPD (R11)(AX*1), Y10
	VMOVUPD (R12)(AX*1), Y11
	ROW(SI, Y0, Y1, Y2)
	ROW(R8, Y3, Y4, Y5)
	ROW(R9, Y6, Y7, Y8)
	ADDQ    $32, AX
	DECQ    CX
	JNZ     quad

	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	VMOVUPD Y4, 128(DI)
	VMOVUPD Y5, 160(DI)
	VMOVUPD Y6, 192(DI)
	VMOVUPD Y7, 224(DI)
	VMOVUPD Y8, 256(DI)
	VZEROUPPER
	RET
