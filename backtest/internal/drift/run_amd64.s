#include "textflag.h"

// The registers of a group of eight members, two quads:
//
//	BX CX DX SI, R8 R9 R10 R11   their columns
//	Y0, Y1                       their holdings
//	AX                           the session, in bytes from the start of the columns
//	DI                           sum, offset so that DI+AX is the session's element
//	R12                          the session to prefetch, in bytes like AX
//	R14                          the number of sessions left
//	R13                          the column indices of the members
//	Y15                          1, four times

// QUAD compounds four members, with the columns A to D and the holdings H, over four
// sessions and writes their total value on each to G. It uses Y2 to Y6.
#define QUAD(A, B, C, D, H, G) \
	VMOVUPD     (A)(AX*1), X2            \ // a0 a1
	VMOVUPD     (B)(AX*1), X3            \ // b0 b1
	VMOVUPD     16(A)(AX*1), X4          \ // a2 a3
	VMOVUPD     16(B)(AX*1), X5          \ // b2 b3
	VINSERTF128 $1, (C)(AX*1), Y2, Y2    \ // a0 a1 c0 c1
	VINSERTF128 $1, (D)(AX*1), Y3, Y3    \ // b0 b1 d0 d1
	VINSERTF128 $1, 16(C)(AX*1), Y4, Y4  \ // a2 a3 c2 c3
	VINSERTF128 $1, 16(D)(AX*1), Y5, Y5  \ // b2 b3 d2 d3
	VADDPD      Y15, Y2, Y2              \
	VADDPD      Y15, Y3, Y3              \
	VADDPD      Y15, Y4, Y4              \
	VADDPD      Y15, Y5, Y5              \
	VUNPCKLPD   Y3, Y2, Y6               \ // a0 b0 c0 d0
	VUNPCKHPD   Y3, Y2, Y2               \ // a1 b1 c1 d1
	VUNPCKLPD   Y5, Y4, Y3               \ // a2 b2 c2 d2
	VUNPCKHPD   Y5, Y4, Y4               \ // a3 b3 c3 d3
	VMULPD      Y6, H, Y6                \
	VMULPD      Y2, Y6, Y2               \
	VMULPD      Y3, Y2, Y3               \
	VMULPD      Y4, Y3, H                \
	VUNPCKLPD   Y2, Y6, Y4               \ // a0 a1 c0 c1
	VUNPCKHPD   Y2, Y6, Y5               \ // b0 b1 d0 d1
	VUNPCKLPD   H, Y3, Y6                \ // a2 a3 c2 c3
	VUNPCKHPD   H, Y3, Y2                \ // b2 b3 d2 d3
	VADDPD      Y5, Y4, Y4               \ // a+b on 0 1, c+d on 0 1
	VADDPD      Y2, Y6, Y6               \ // a+b on 2 3, c+d on 2 3
	VBLENDPD    $12, Y6, Y4, Y2          \ // a+b on 0 1, c+d on 2 3
	VPERM2F128  $0x21, Y6, Y4, Y3        \ // c+d on 0 1, a+b on 2 3
	VADDPD      Y3, Y2, G

// QUAD1 is QUAD for one session.
#define QUAD1(A, B, C, D, H, T, TX, U, UX) \
	VMOVSD      (A)(AX*1), TX           \
	VMOVHPD     (B)(AX*1), TX, TX       \
	VMOVSD      (C)(AX*1), UX           \
	VMOVHPD     (D)(AX*1), UX, UX       \
	VINSERTF128 $1, UX, T, T            \ // a b c d
	VADDPD      Y15, T, T               \
	VMULPD      T, H, H                 \
	VUNPCKHPD   H, H, U                 \ // b b d d
	VADDPD      U, H, T                 \ // a+b . c+d .
	VEXTRACTF128 $1, T, UX              \
	VADDSD      UX, TX, TX

// MEMBER loads the column whose index is at an offset of R13, using the column starts
// at R12, and puts the address of its holding in AX.
#define MEMBER(OFFSET, COLUMN) \
	MOVQ OFFSET(R13), COLUMN       \
	LEAQ (R15)(COLUMN*8), AX       \
	MOVQ (R12)(COLUMN*8), COLUMN

// QUADAHEAD prefetches the lines of the first four columns at R12, AHEAD those of all
// eight.
#define QUADAHEAD \
	PREFETCHT0 (BX)(R12*1)      \
	PREFETCHT0 (CX)(R12*1)      \
	PREFETCHT0 (DX)(R12*1)      \
	PREFETCHT0 (SI)(R12*1)

#define AHEAD \
	QUADAHEAD                   \
	PREFETCHT0 (R8)(R12*1)      \
	PREFETCHT0 (R9)(R12*1)      \
	PREFETCHT0 (R10)(R12*1)     \
	PREFETCHT0 (R11)(R12*1)

// STORE writes both halves of an X register to the holdings of two members.
#define STORE(OFFSET, X) \
	MOVQ    OFFSET(R13), AX        \
	VMOVLPD X, (R15)(AX*8)         \
	MOVQ    (OFFSET+8)(R13), AX    \
	VMOVHPD X, (R15)(AX*8)

// func runOctets(sum *float64, sessions int, starts **float64, members *int, octets int, hold *float64, from, ahead int)
TEXT ·runOctets(SB), NOSPLIT, $0-64
	MOVQ     members+24(FP), R13
	MOVQ     hold+40(FP), R15
	MOVQ     sum+0(FP), DI
	MOVQ     from+48(FP), AX
	SHLQ     $3, AX
	SUBQ     AX, DI
	VPCMPEQQ Y15, Y15, Y15
	VPSLLQ   $54, Y15, Y15
	VPSRLQ   $2, Y15, Y15

octet:
	MOVQ        starts+16(FP), R12
	MEMBER(0, BX)
	VMOVSD      (AX), X0
	MEMBER(8, CX)
	VMOVHPD     (AX), X0, X0
	MEMBER(16, DX)
	VMOVSD      (AX), X2
	MEMBER(24, SI)
	VMOVHPD     (AX), X2, X2
	VINSERTF128 $1, X2, Y0, Y0
	MEMBER(32, R8)
	VMOVSD      (AX), X1
	MEMBER(40, R9)
	VMOVHPD     (AX), X1, X1
	MEMBER(48, R10)
	VMOVSD      (AX), X3
	MEMBER(56, R11)
	VMOVHPD     (AX), X3, X3
	VINSERTF128 $1, X3, Y1, Y1

	MOVQ from+48(FP), AX
	SHLQ $3, AX
	MOVQ sessions+8(FP), R14
	SUBQ $4, R14
	JLT  rest

quad:
	MOVQ    ahead+56(FP), R12
	ADDQ    AX, R12
	AHEAD
	QUAD(BX, CX, DX, SI, Y0, Y7)
	QUAD(R8, R9, R10, R11, Y1, Y8)
	VADDPD  (DI)(AX*1), Y7, Y7
	VADDPD  Y8, Y7, Y7
	VMOVUPD Y7, (DI)(AX*1)
	ADDQ    $32, AX
	SUBQ    $4, R14
	JGE     quad

rest:
	MOVQ    ahead+56(FP), R12
	ADDQ    AX, R12
	AHEAD
	ADDQ $4, R14
	JZ   done

single:
	QUAD1(BX, CX, DX, SI, Y0, Y2, X2, Y3, X3)
	QUAD1(R8, R9, R10, R11, Y1, Y5, X5, Y6, X6)
	VADDSD (DI)(AX*1), X2, X2
	VADDSD X5, X2, X2
	VMOVSD X2, (DI)(AX*1)
	ADDQ   $8, AX
	DECQ   R14
	JNZ    single

done:
	VEXTRACTF128 $1, Y0, X2
	VEXTRACTF128 $1, Y1, X3
	STORE(0, X0)
	STORE(16, X2)
	STORE(32, X1)
	STORE(48, X3)
	ADDQ         $64, R13
	DECQ         octets+32(FP)
	JNZ          octet
	VZEROUPPER
	RET

// func runQuad(sum *float64, sessions int, starts **float64, members *int, hold *float64, from, ahead int)
TEXT ·runQuad(SB), NOSPLIT, $0-56
	MOVQ        members+24(FP), R13
	MOVQ        hold+32(FP), R15
	MOVQ        sum+0(FP), DI
	MOVQ        from+40(FP), R12
	SHLQ        $3, R12
	SUBQ        R12, DI
	VPCMPEQQ    Y15, Y15, Y15
	VPSLLQ      $54, Y15, Y15
	VPSRLQ      $2, Y15, Y15
	MOVQ        starts+16(FP), R12
	MEMBER(0, BX)
	VMOVSD      (AX), X0
	MEMBER(8, CX)
	VMOVHPD     (AX), X0, X0
	MEMBER(16, DX)
	VMOVSD      (AX), X2
	MEMBER(24, SI)
	VMOVHPD     (AX), X2, X2
	VINSERTF128 $1, X2, Y0, Y0
	MOVQ        from+40(FP), AX
	SHLQ        $3, AX
	MOVQ        ahead+48(FP), R12
	ADDQ        AX, R12
	MOVQ        sessions+8(FP), R14
	SUBQ        $4, R14
	JLT         rest

quad:
	QUADAHEAD
	QUAD(BX, CX, DX, SI, Y0, Y7)
	VADDPD  (DI)(AX*1), Y7, Y7
	VMOVUPD Y7, (DI)(AX*1)
	ADDQ    $32, AX
	ADDQ    $32, R12
	SUBQ    $4, R14
	JGE     quad

rest:
	QUADAHEAD
	ADDQ $4, R14
	JZ   done

single:
	QUAD1(BX, CX, DX, SI, Y0, Y2, X2, Y3, X3)
	VADDSD (DI)(AX*1), X2, X2
	VMOVSD X2, (DI)(AX*1)
	ADDQ   $8, AX
	DECQ   R14
	JNZ    single

done:
	VEXTRACTF128 $1, Y0, X2
	STORE(0, X0)
	STORE(16, X2)
	VZEROUPPER
	RET
