#include "textflag.h"

// SUM adds the four elements of Y, one after the other, to S. It uses X5.
#define SUM(Y, X, S) \
	VADDSD       X, S, S    \
	VUNPCKHPD    X, X, X5   \
	VADDSD       X5, S, S   \
	VEXTRACTF128 $1, Y, X5  \
	VADDSD       X5, S, S   \
	VUNPCKHPD    X5, X5, X5 \
	VADDSD       X5, S, S

// LIST writes position AX to the list at LIST and keeps it where the lowest bit
// of MASK is set. It uses R13 and moves on to the next position and bit.
#define LIST(LISTED, COUNT, MASK) \
	MOVQ AX, (LISTED)(COUNT*8) \
	MOVL MASK, R13             \
	ANDL $1, R13               \
	ADDQ R13, COUNT            \
	SHRL $1, MASK              \
	INCQ AX

// func investQuads(target, weights, hold *float64, longs, shorts *int, quads int, equity, dust float64) (turnover, long, short float64, trades, held, owed int)
TEXT ·investQuads(SB), NOSPLIT, $0-112
	MOVQ         target+0(FP), SI
	MOVQ         weights+8(FP), DX
	MOVQ         hold+16(FP), DI
	MOVQ         longs+24(FP), R8
	MOVQ         shorts+32(FP), R10
	MOVQ         quads+40(FP), CX
	VBROADCASTSD equity+48(FP), Y15
	VBROADCASTSD dust+56(FP), Y13
	VPCMPEQQ     Y14, Y14, Y14
	VPSRLQ       $1, Y14, Y14 // all but the sign
	VXORPD       Y12, Y12, Y12
	VXORPD       X0, X0, X0   // turnover
	VXORPD       X1, X1, X1   // longs
	VXORPD       X2, X2, X2   // shorts
	XORQ         AX, AX       // member
	XORQ         R9, R9       // longs
	XORQ         R11, R11     // shorts
	XORQ         R12, R12     // trades

quad:
	VMOVUPD   (SI)(AX*8), Y3
	VSUBPD    (DX)(AX*8), Y3, Y4
	VANDPD    Y14, Y4, Y4
	VCMPPD    $30, Y13, Y4, Y5 // above dust
	VMOVMSKPD Y5, BX
	POPCNTL   BX, BX
	ADDQ      BX, R12
	VMULPD    Y15, Y3, Y6
	VMOVUPD   Y6, (DI)(AX*8)
	SUM(Y4, X4, X0)

	// What is not above zero adds +0, which changes no sum.
	VCMPPD    $30, Y12, Y6, Y7
	VMOVMSKPD Y7, BX
	VANDPD    Y7, Y6, Y7
	SUM(Y7, X7, X1)
	LIST(R8, R9, BX)
	LIST(R8, R9, BX)
	LIST(R8, R9, BX)
	LIST(R8, R9, BX)

	VCMPPD    $17, Y12, Y6, Y7 // below zero
	VMOVMSKPD Y7, BX
	TESTL     BX, BX
	JZ        next
	VANDPD    Y7, Y6, Y7
	SUM(Y7, X7, X2)
	SUBQ      $4, AX
	LIST(R10, R11, BX)
	LIST(R10, R11, BX)
	LIST(R10, R11, BX)
	LIST(R10, R11, BX)

next:
	DECQ   CX
	JNZ    quad
	VMOVSD X0, turnover+64(FP)
	VMOVSD X1, long+72(FP)
	VMOVSD X2, short+80(FP)
	MOVQ   R12, trades+88(FP)
	MOVQ   R9, held+96(FP)
	MOVQ   R11, owed+104(FP)
	VZEROUPPER
	RET

// func weighQuads(weights, hold *float64, quads int, perUnit float64)
TEXT ·weighQuads(SB), NOSPLIT, $0-32
	MOVQ         weights+0(FP), DI
	MOVQ         hold+8(FP), SI
	MOVQ         quads+16(FP), CX
	VBROADCASTSD perUnit+24(FP), Y15
	XORQ         AX, AX

weigh:
	VMULPD  (SI)(AX*1), Y15, Y0
	VMOVUPD Y0, (DI)(AX*1)
	ADDQ    $32, AX
	DECQ    CX
	JNZ     weigh
	VZEROUPPER
	RET
