// Large buttons for the sources that a destination can get.
import type { DestinationState, Matrix, MatrixSource } from '../../../contract/ndi/router.ts'
import { t } from '../../text/language.ts'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $showsPictures } from './armed.ts'
import { labelOf, matchesText, numberedLabel, sourceFault } from './describe.ts'
import { NdiPicture } from './picture.tsx'
import { TEXT } from './text.ts'

interface SourceChoiceProps {
  matrix: Matrix
  /** Numbers of sources: the one that the destination shows, the one that is armed, the one that is being taken. */
  current: number
  /** Whether the destination really shows the current source. */
  state: DestinationState
  armed?: number | undefined
  taking?: number | undefined
  /** Shows only sources that match it. */
  text?: string
  /** Why no source can be chosen. */
  disabledReason?: string | undefined
  onChoose: (source: number) => void
}

function SourceFault({ source }: { source: MatrixSource }) {
  const fault = sourceFault(source)
  return fault ? <StatusLabel tone={fault.tone} text={fault.text} /> : null
}

export function SourceChoice({
  matrix,
  current,
  state: destinationState,
  armed,
  taking,
  text = '',
  disabledReason,
  onChoose
}: SourceChoiceProps) {
  const showsPictures = useStore($showsPictures)
  const shown = matrix.sources.filter((source) => matchesText(source, text))
  const stateOf = (source: number) => {
    if (source === taking) return 'taking'
    if (source === current) return 'routed'
    return source === armed ? 'armed' : undefined
  }
  const button = (source: number) => {
    const state = stateOf(source)
    return {
      type: 'button',
      className: 'choice',
      'data-state': state,
      'aria-pressed': source === current,
      'aria-disabled': disabledReason !== undefined || undefined,
      'data-tip': disabledReason,
      onClick: () => {
        if (disabledReason === undefined) onChoose(source)
      }
    } as const
  }
  const stateText = (source: number) => {
    const state = stateOf(source)
    return state && <small className="choice-state">{t(TEXT[state])}</small>
  }
  return (
    <div className="choices" data-state={destinationState}>
      {shown.length === 0 && text !== '' && <p className="muted nothing">{t(TEXT.noMatch, text)}</p>}
      {shown.map((source) => (
        <button key={source.index} {...button(source.index)}>
          {showsPictures && <NdiPicture name={source.name} label={labelOf(source)} isAway={!source.online} />}
          <span className="label">
            <strong className="cut">{numberedLabel(source)}</strong>
            <SourceFault source={source} />
            {stateText(source.index)}
          </span>
        </button>
      ))}
      <button {...button(0)}>
        <span className="label">
          <strong className="cut">{t(TEXT.noSource)}</strong>
          {stateText(0)}
        </span>
      </button>
    </div>
  )
}
