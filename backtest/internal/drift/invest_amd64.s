#include "textflag.h"

// LIST writes position AX to the list at LIST, keeps it if the lowest bit of MASK is
// set, and moves on to the next position and bit. It uses R13.
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
	VXORPD       X0, X0, X0   // turnover and longs
	VXORPD       X2, X2, X2   // shorts
	XORQ         AX, AX       // member
	XORQ         R9, R9       // longs
	XORQ         R11, R11     // shorts
	XORQ         R12, R12     // trades
	MOVL         $1, BX       // Y11 is the positions of four members
	VMOVQ        BX, X11
	VPSLLDQ      $8, X11, X11
	VPCMPEQQ     Y10, Y10, Y10
	VPSRLQ       $63, Y10, Y10
	VPSLLQ       $1, Y10, Y9
	VPADDQ       X9, X11, X9
	VINSERTI128  $1, X9, Y11, Y11
	VPSLLQ       $2, Y10, Y10

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

	// A holding that is not positive adds +0, which does not change the sum.
	VCMPPD       $30, Y12, Y6, Y7
	VMOVMSKPD    Y7, BX
	VANDPD       Y7, Y6, Y7
	VUNPCKLPD    Y7, Y4, Y5
	VUNPCKHPD    Y7, Y4, Y8
	VADDPD       Y8, Y5, Y5
	VEXTRACTF128 $1, Y5, X8
	VADDPD       X8, X5, X5
	VADDPD       X5, X0, X0
	CMPL         BX, $15
	JNE          some
	VMOVDQU      Y11, (R8)(R9*8)
	VPADDQ       Y10, Y11, Y11
	ADDQ         $4, R9
	ADDQ         $4, AX
	DECQ         CX
	JNZ          quad
	JMP          done

some:
	VPADDQ Y10, Y11, Y11
	LIST(R8, R9, BX)
	LIST(R8, R9, BX)
	LIST(R8, R9, BX)
	LIST(R8, R9, BX)

	VCMPPD       $17, Y12, Y6, Y7 // below zero
	VMOVMSKPD    Y7, BX
	TESTL        BX, BX
	JZ           next
	VANDPD       Y7, Y6, Y7
	VUNPCKHPD    Y7, Y7, Y5
	VADDPD       Y5, Y7, Y7
	VEXTRACTF128 $1, Y7, X5
	VADDSD       X5, X7, X7
	VADDSD       X7, X2, X2
	SUBQ         $4, AX
	LIST(R10, R11, BX)
	LIST(R10, R11, BX)
	LIST(R10, R11, BX)
	LIST(R10, R11, BX)

next:
	DECQ CX
	JNZ  quad

done:
	VMOVSD    X0, turnover+64(FP)
	VUNPCKHPD X0, X0, X0
	VMOVSD    X0, long+72(FP)
	VMOVSD    X2, short+80(FP)
	MOVQ      R12, trades+88(FP)
	MOVQ      R9, held+96(FP)
	MOVQ      R11, owed+104(FP)
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

// func finiteQuads(v *float64, quads int) bool
TEXT ·finiteQuads(SB), NOSPLIT, $0-17
	MOVQ   v+0(FP), SI
	MOVQ   quads+8(FP), CX
	VXORPD Y0, Y0, Y0

finite:
	VMOVUPD (SI), Y1
	VSUBPD  Y1, Y1, Y1
	VORPD   Y1, Y0, Y0
	ADDQ    $32, SI
	DECQ    CX
	JNZ     finite
	VPTEST  Y0, Y0
	SETEQ   ret+16(FP)
	VZEROUPPER
	RET
