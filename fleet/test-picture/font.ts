// Bitmap font for printable ASCII, 5 by 7 pixels. Each character is seven base-32 digits, one per row from the top,
// with the leftmost pixel in the highest bit.

/** Size of a character, and distance from one character to the next, in pixels. */
export const GLYPH = { width: 5, height: 7, advance: 6 } as const

const ROWS =
  '0000000 4444404 aaa0000 0avava0 4fke5u4 op248j3 cik8lid 4480000 2488842 8422248 04lel40 044v440 0000c48 000v000 00000cc 01248g0 ' +
  'ehjlphe 4c4444e eh1248v v2421he 26aiv22 vgu11he 68guhhe v124888 ehhehhe ehhf12c 0cc0cc0 0cc0c48 248g842 00v0v00 8421248 eh12404 ' +
  'eh1dlle ehhvhhh uhhuhhu ehggghe sihhhis vgguggv vgguggg ehgnhhf hhhvhhh e44444e 72222ic hikokih ggggggv hrllhhh hhpljhh ehhhhhe ' +
  'uhhuggg ehhhlid uhhukih fgge11u v444444 hhhhhhe hhhhha4 hhhllla hha4ahh hhha444 v1248gv e88888e 0g84210 e22222e 4ah0000 000000v ' +
  '8420000 00e1fhf ggmphhu 00egghe 11djhhf 00ehvge 698s888 0fhhf1e ggmphhh 40c444e 20622ic ggikoki c44444e 00qllhh 00mphhh 00ehhhe ' +
  '00uhugg 00djf11 00mpggg 00ege1u 88s8896 00hhhjd 00hhha4 00hhlla 00ha4ah 00hhf1e 00v248v 2448442 4444444 8442448 008l200'
/** Shown for a character that the font does not have. */
const BOX = 'vhhhhhv'

const FIRST = 0x20
const bits = (rows: string) => [...rows].map((digit) => Number.parseInt(digit, 32))
const GLYPHS = ROWS.split(' ').map(bits)
const UNKNOWN = bits(BOX)

/** Rows of a character from the top; those of a box if the font does not have it. */
export function glyphOf(character: string): readonly number[] {
  return GLYPHS[(character.codePointAt(0) ?? 0) - FIRST] ?? UNKNOWN
}
