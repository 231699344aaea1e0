import type { Tone } from '../text/states.ts'

export interface StateProps {
  tone: Tone
  /** The state's word. */
  text: string
  /** More of it: a cause, shown as tooltip. */
  tip?: string
  /** With a ground of its own, for use on pictures and in headings. */
  pill?: boolean
}

/** A state: a word with a shape of its own for each tone, so that nothing hangs on colour. */
export function State({ tone, text, tip, pill }: StateProps) {
  return (
    <span className={pill ? 'state pill' : 'state'} data-tone={tone} data-tip={tip} tabIndex={tip ? 0 : undefined}>
      {text}
    </span>
  )
}
