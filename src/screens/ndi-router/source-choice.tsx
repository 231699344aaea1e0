// Large buttons for the sources that a destination can get.
import type { DestinationState, Matrix, MatrixSource } from '../../../contract/ndi/router.ts'
import { t } from '../../text/language.ts'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $showsPictures } from './armed.ts'
import { labelOf, matchesText, numberedLabel, type RouteNumbers, routeState, sourceFault } from './describe.ts'
import { NdiPicture } from './picture.tsx'
import { ROUTE_STATES, TEXT } from './text.ts'

interface SourceChoiceProps extends RouteNumbers {
  matrix: Matrix
  /** Whether the destination really shows the current source. */
  state: DestinationState
  /** Shows only sources that match it. */
  text?: string
  /** Why no source can be chosen. */
  disabledReason?: string | undefined
  onChoose: (source: number) => void
}

export function SourceChoice({ matrix, state, text = '', disabledReason, onChoose, ...routes }: SourceChoiceProps) {
  const showsPictures = useStore($showsPictures)
  const shown = matrix.sources.filter((source) => matchesText(source, text))
  const renderChoice = (number: number, label: string, source?: MatrixSource) => {
    const routed = routeState(number, routes)
    const fault = source && sourceFault(source)
    return (
      <button
        key={number}
        type="button"
        className="choice"
        data-state={routed}
        aria-pressed={number === routes.current}
        aria-disabled={disabledReason !== undefined || undefined}
        data-tip={disabledReason}
        onClick={() => {
          if (disabledReason === undefined) onChoose(number)
        }}
      >
        {source && showsPictures && <NdiPicture name={source.name} label={labelOf(source)} isAway={!source.online} />}
        <span className="label">
          <strong className="cut">{label}</strong>
          {fault && <StatusLabel tone={fault.tone} text={fault.text} />}
          {routed && <small className="choice-state">{t(ROUTE_STATES[routed])}</small>}
        </span>
      </button>
    )
  }
  return (
    <div className="choices" data-state={state}>
      {shown.length === 0 && text !== '' && <p className="muted nothing">{t(TEXT.noMatch, text)}</p>}
      {shown.map((source) => renderChoice(source.index, numberedLabel(source), source))}
      {renderChoice(0, t(TEXT.noSource))}
    </div>
  )
}
