import type { Shape } from '../text/health.ts'
import type { Tone } from '../text/states.ts'

interface StatusLabelProps {
  tone: Tone
  /** Replaces the symbol of the tone. */
  shape?: Shape
  /** The status in one or two words. */
  text: string
  /** Details, for instance the cause. */
  tooltip?: string
  /** Adds a background, for use on preview images and in headings. */
  pill?: boolean
}

/** A status: a word with a symbol for each tone, so that the meaning does not depend on the colour alone. */
export function StatusLabel({ tone, shape, text, tooltip, pill }: StatusLabelProps) {
  return (
    <span
      className={pill ? 'state pill' : 'state'}
      data-tone={tone}
      data-shape={shape}
      data-tip={tooltip}
      tabIndex={tooltip ? 0 : undefined}
    >
      {text}
    </span>
  )
}
