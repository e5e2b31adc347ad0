#include "textflag.h"

// func closeQuads(returns, equity, gross *float64, quads int, cash, previous, highest, least, most, largest float64) (closed int, top float64)
TEXT ·closeQuads(SB), NOSPLIT, $0-96
	MOVQ         returns+0(FP), DX
	MOVQ         equity+8(FP), DI
	MOVQ         gross+16(FP), SI
	MOVQ         quads+24(FP), CX
	VBROADCASTSD cash+32(FP), Y0
	VPCMPEQQ     Y1, Y1, Y1
	VPSLLQ       $54, Y1, Y1
	VPSRLQ       $2, Y1, Y1       // 1
	VDIVSD       previous+40(FP), X1, X2
	VBROADCASTSD highest+48(FP), Y3
	VBROADCASTSD least+56(FP), Y4
	VBROADCASTSD most+64(FP), Y5
	VBROADCASTSD largest+72(FP), Y6
	XORQ         AX, AX

quad:
	VMOVUPD   (SI)(AX*8), Y7      // longs
	VMOVUPD   (DI)(AX*8), Y8      // shorts
	VADDPD    Y7, Y0, Y9
	VADDPD    Y8, Y9, Y9          // equity
	VSUBPD    Y8, Y7, Y10
	VDIVPD    Y9, Y1, Y11         // 1/equity
	VMULPD    Y11, Y10, Y10       // gross exposure
	VPERMPD   $0x93, Y11, Y12     // those of the last, first, second and third
	VBLENDPD  $1, Y2, Y12, Y13
	VMULPD    Y13, Y9, Y13        // equity divided by that of the previous session
	VCMPPD    $29, Y4, Y9, Y14    // at least
	VCMPPD    $18, Y5, Y10, Y15   // at most
	VANDPD    Y15, Y14, Y14
	VCMPPD    $18, Y6, Y13, Y15
	VANDPD    Y15, Y14, Y14
	VMOVMSKPD Y14, BX
	CMPL      BX, $15
	JNE       done
	VSUBPD    Y1, Y13, Y13
	VMOVUPD   Y13, (DX)(AX*8)
	VMOVUPD   Y9, (DI)(AX*8)
	VMOVUPD   Y10, (SI)(AX*8)
	VMAXPD    Y10, Y3, Y3
	VMOVAPD   Y12, Y2
	ADDQ      $4, AX
	DECQ      CX
	JNZ       quad

done:
	VEXTRACTF128 $1, Y3, X4
	VMAXPD       X4, X3, X3
	VUNPCKHPD    X3, X3, X4
	VMAXSD       X4, X3, X3
	MOVQ         AX, closed+80(FP)
	VMOVSD       X3, top+88(FP)
	VZEROUPPER
	RET
