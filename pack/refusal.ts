/** What is wrong with a pack, for who has to say it in his own words; `other` for what only people at a command line meet. */
export type RefusalKind =
  | 'cut-short'
  | 'not-a-pack'
  | 'wrong-key'
  | 'development'
  | 'tampered'
  | 'format'
  | 'over-budget'
  | 'tool'
  | 'other'

/** Why no pack is made, or one is not accepted: said in one line, without the place in the code. */
export class Refusal extends Error {
  readonly kind: RefusalKind
  constructor(message: string, kind: RefusalKind = 'other') {
    super(message)
    this.kind = kind
  }
}
