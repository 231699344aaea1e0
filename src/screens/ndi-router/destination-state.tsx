// The state of a destination and its picture, as the grid, the lists and the page of one destination show them.
import type { ComponentProps } from 'react'
import { lockDestination, type Matrix, type MatrixDestination } from '../../../contract/ndi/router.ts'
import { CallButton } from '../../parts/actions.tsx'
import { lasting } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { destinationFault, itemAt, labelOf, receiversText, sourceLabel } from './describe.ts'
import { NdiPicture } from './picture.tsx'
import { ROUTE_STATES, TEXT } from './text.ts'

type LockButtonProps = Pick<ComponentProps<typeof CallButton>, 'onClick' | 'disabledReason' | 'outOfTabOrder'>

interface DestinationProps {
  destination: MatrixDestination
}

/** The fault, or else the receivers. */
export function FaultOrReceivers({ destination }: DestinationProps) {
  const fault = destinationFault(destination)
  return fault ? <StatusLabel {...fault} /> : <small>{receiversText(destination.connections)}</small>
}

export function LockOwner({ destination: { 'locked-by': owner } }: DestinationProps) {
  return owner ? <small className="locked">{t(TEXT.lockedBy, owner)}</small> : null
}

/** Locks a destination, or unlocks it. */
export const LockButton = ({ destination, ...button }: DestinationProps & LockButtonProps) => (
  <CallButton
    {...button}
    call={lockDestination}
    iconOnly
    icon="lock"
    pressed={destination['locked-by'] !== undefined}
    label={t(destination['locked-by'] ? TEXT.unlock : TEXT.lock, labelOf(destination))}
  />
)

/** Time and user of the last take. */
export const LastTake = ({ destination: { since, by } }: DestinationProps) => (
  <>
    <ElapsedTime since={since * 1000} format={lasting} /> {by}
  </>
)

interface MatrixDestinationProps extends DestinationProps {
  matrix: Matrix
}

/** The picture of the source that the destination shows. */
export function DestinationPicture({ matrix, destination }: MatrixDestinationProps) {
  const source = itemAt(matrix.sources, destination.source)
  return source ? (
    <NdiPicture name={source.name} label={labelOf(source)} isAway={destination.state !== 'routed'} />
  ) : null
}

/** The fault, or else the receivers; time and user of the last take; lock; armed source. */
export function DestinationState({
  matrix,
  destination,
  armed
}: MatrixDestinationProps & { armed?: number | undefined }) {
  return (
    <>
      <FaultOrReceivers destination={destination} />
      {destination.since > 0 && (
        <small>
          <LastTake destination={destination} />
        </small>
      )}
      <LockOwner destination={destination} />
      {armed !== undefined && armed !== destination.source && (
        <small className="armed-source">
          {t(ROUTE_STATES.armed)}: {sourceLabel(matrix, armed)}
        </small>
      )}
    </>
  )
}
