// Below the matrix: the typed text, the destination with the focus, and the armed routes.
import type { Matrix } from '../../../contract/ndi/router.ts'
import { addSalvo, takeRoutes } from '../../../contract/ndi/router.ts'
import { CallButton } from '../../parts/actions.tsx'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $announcement, $armed, $isDisarmed, armedTakes, disarmAll } from './armed.ts'
import { destinationFault, destinationLabel, itemAt, numberedLabel, receiversText, sourceLabel } from './describe.ts'
import { LastTake } from './destination-state.tsx'
import type { Cursor, Entry } from './grid-keys.ts'
import { SalvoDialog } from './salvo-dialog.tsx'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { takeNow } from './take.ts'
import { TEXT } from './take-text.ts'
import { TEXT as ROUTER_TEXT } from './text.ts'

/** Changes that the bar lists before it counts the rest. */
const LISTED_MAX = 4

interface TakeBarProps {
  matrix: Matrix
  /** Why nothing can be switched. */
  obstacle: string | undefined
}

/**
 * The armed routes, with the button that takes them. Not shown without armed routes, unless an edit of the matrix has
 * disarmed them.
 */
export function TakeBar({ matrix, obstacle }: TakeBarProps) {
  const takes = armedTakes(matrix, useStore($armed))
  const isDisarmed = useStore($isDisarmed)
  if (isDisarmed)
    return (
      <div className="take-bar" role="status">
        {t(TEXT.disarmed)}
      </div>
    )
  if (takes.length === 0) return null
  const rest = takes.length - LISTED_MAX
  return (
    <div className="take-bar" role="toolbar" aria-label={t(TEXT.armedCount, takes.length)}>
      <strong>{t(TEXT.armedCount, takes.length)}</strong>
      <ul className="row">
        {takes.slice(0, LISTED_MAX).map(({ destination, source }) => (
          <li key={destination}>
            {t(
              TEXT.change,
              destinationLabel(matrix, destination),
              sourceLabel(matrix, itemAt(matrix.destinations, destination)?.source ?? 0),
              sourceLabel(matrix, source)
            )}
          </li>
        ))}
        {rest > 0 && <li>{t(TEXT.moreChanges, rest)}</li>}
      </ul>
      <span className="push row">
        <CallButton
          call={addSalvo}
          label={t(TEXT.saveAsSalvo)}
          onClick={() => openDialog(SalvoDialog, { matrixId: matrix.id, initial: { name: '', takes } })}
        />
        <CallButton
          call={takeRoutes}
          label={t(TEXT.takeLater)}
          onClick={() => openDialog(ScheduleDialog, { matrixId: matrix.id, initial: { name: '', takes } })}
        />
        <Button label={t(TEXT.clear)} onClick={disarmAll} />
        <CallButton
          call={takeRoutes}
          kind="main"
          label={t(TEXT.takeCount, takes.length)}
          disabledReason={obstacle}
          onClick={() => takeNow(matrix, takes)}
        />
      </span>
    </div>
  )
}

/**
 * The destination with the focus: its source, the time of the take and the user who took it. While the user types, also
 * the typed text.
 */
export function FocusLine({ matrix, cursor, entry }: { matrix: Matrix; cursor: Cursor; entry: Entry }) {
  const destination = itemAt(matrix.destinations, cursor.destination)
  const label = destination ? numberedLabel(destination) : ''
  const { phase, text } = entry
  const isTyping = phase === 'source' || text !== ''
  const typedText = phase === 'source' ? t(TEXT.typedSource, label, text) : t(TEXT.typedDestination, text)
  const fault = destination && destinationFault(destination)
  return (
    <p className="focus-line">
      {isTyping && (
        <strong className="typed" role="status">
          {typedText}
        </strong>
      )}
      {destination && (
        <>
          <strong>{label}</strong>
          <span>{sourceLabel(matrix, destination.source)}</span>
          {fault && <StatusLabel {...fault} />}
          {destination.since > 0 && (
            <span className="muted">
              <LastTake destination={destination} />
            </span>
          )}
          <span className="muted">{receiversText(destination.connections)}</span>
          {destination['locked-by'] && <span>{t(ROUTER_TEXT.lockedBy, destination['locked-by'])}</span>}
          <span className="muted">{destination.name}</span>
        </>
      )}
      <Announcement />
    </p>
  )
}

/** Announces the effect of the last key or click to screen readers. */
const Announcement = () => (
  <span className="unseen" role="status">
    {useStore($announcement)}
  </span>
)
