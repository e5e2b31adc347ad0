#include "textflag.h"

// The registers of a group of eight members, two quads:
//
//	BX CX DX SI, R8 R9 R10 R11   their columns
//	Y0, Y1                       their holdings
//	AX                           the session, in bytes from the columns' starts
//	DI                           sum, so that DI+AX is its element of the session
//	R12                          where the sessions end, in bytes
//	R13                          the members' positions
//	Y15                          1, four times

// QUAD takes a quad, of the columns A to D and the holdings H, through two
// sessions and leaves what it is worth on each in the X register G. T, U, V
// are spare; G and U, and T and V, are the lower halves' other names.
#define QUAD(A, B, C, D, H, T, TX, U, UX, V) \
	VMOVUPD     (A)(AX*1), TX           \ // t0 t1 of a
	VMOVUPD     (B)(AX*1), UX           \ // t0 t1 of b
	VINSERTF128 $1, (C)(AX*1), T, T     \ // a a c c
	VINSERTF128 $1, (D)(AX*1), U, U     \ // b b d d
	VADDPD      Y15, T, T               \
	VADDPD      Y15, U, U               \
	VUNPCKLPD   U, T, V                 \ // a b c d on t0
	VUNPCKHPD   U, T, T                 \ // a b c d on t1
	VMULPD      V, H, V                 \
	VMULPD      T, V, H                 \
	VUNPCKLPD   H, V, T                 \ // a a c c
	VUNPCKHPD   H, V, U                 \ // b b d d
	VADDPD      U, T, T                 \ // a+b a+b c+d c+d
	VEXTRACTF128 $1, T, UX              \
	VADDPD      UX, TX, TX

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

// MEMBER turns the position at an offset of R13 into a column, by R12 the
// columns' starts, and gives the address of its holding in AX.
#define MEMBER(OFFSET, COLUMN) \
	MOVQ OFFSET(R13), COLUMN       \
	LEAQ (R15)(COLUMN*8), AX       \
	MOVQ (R12)(COLUMN*8), COLUMN

#define AHEAD \
	PREFETCHT0 (BX)(AX*1)  \
	PREFETCHT0 (CX)(AX*1)  \
	PREFETCHT0 (DX)(AX*1)  \
	PREFETCHT0 (SI)(AX*1)  \
	PREFETCHT0 (R8)(AX*1)  \
	PREFETCHT0 (R9)(AX*1)  \
	PREFETCHT0 (R10)(AX*1) \
	PREFETCHT0 (R11)(AX*1)

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

	// The lines of the sessions to come: one every 64 bytes, and the last.
	MOVQ from+48(FP), AX
	ADDQ sessions+8(FP), AX
	SHLQ $3, AX
	MOVQ ahead+56(FP), R12
	SHLQ $3, R12
	JZ   present
	ADDQ AX, R12

line:
	AHEAD
	ADDQ $64, AX
	CMPQ AX, R12
	JLT  line
	LEAQ -8(R12), AX
	AHEAD

present:
	MOVQ from+48(FP), AX
	MOVQ sessions+8(FP), R12
	SHLQ $3, R12
	SHLQ $3, AX
	ADDQ AX, R12
	SUBQ $8, R12
	CMPQ AX, R12
	JGE  odd

pair:
	QUAD(BX, CX, DX, SI, Y0, Y2, X2, Y3, X3, Y4)
	QUAD(R8, R9, R10, R11, Y1, Y5, X5, Y6, X6, Y7)
	VADDPD  (DI)(AX*1), X2, X2
	VADDPD  X5, X2, X2
	VMOVUPD X2, (DI)(AX*1)
	ADDQ    $16, AX
	CMPQ    AX, R12
	JLT     pair

odd:
	JNE    done
	QUAD1(BX, CX, DX, SI, Y0, Y2, X2, Y3, X3)
	QUAD1(R8, R9, R10, R11, Y1, Y5, X5, Y6, X6)
	VADDSD (DI)(AX*1), X2, X2
	VADDSD X5, X2, X2
	VMOVSD X2, (DI)(AX*1)

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
