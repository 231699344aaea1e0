// Heads of the rows and columns of the matrix.
import type { MatrixDestination, MatrixSource } from '../../../contract/ndi/router.ts'
import { StatusLabel } from '../../ui/status-label.tsx'
import { labelOf, numberedLabel, sourceFault } from './describe.ts'
import { FaultOrReceivers, LockButton, LockOwner } from './destination-state.tsx'
import { PageLink } from './page-link.tsx'
import { NdiPicture } from './picture.tsx'

interface SourceHeadProps {
  source: MatrixSource
  showsPicture: boolean
}

export function SourceHead({ source, showsPicture }: SourceHeadProps) {
  const { index, name, online } = source
  const fault = sourceFault(source)
  return (
    <th scope="col" className="source-head" data-away={!online || undefined} aria-colindex={index + 2} data-tip={name}>
      {showsPicture && <NdiPicture name={name} label={labelOf(source)} isAway={!online} />}
      <span className="label">{numberedLabel(source)}</span>
      {fault && <StatusLabel {...fault} />}
    </th>
  )
}

interface DestinationHeadProps {
  matrixId: number
  destination: MatrixDestination
  /** Label and name on the network of the source that the destination shows. */
  current: string
  currentName: string | undefined
  showsPicture: boolean
  /** Whether the cell with the focus is in this row, whose link is reached with the Tab key. */
  isFocused: boolean
  onLock: (destination: MatrixDestination) => void
}

export function DestinationHead(props: DestinationHeadProps) {
  const { matrixId, destination, current, currentName, showsPicture, isFocused, onLock } = props
  const { index, name } = destination
  const label = labelOf(destination)
  return (
    <th scope="row" aria-rowindex={index + 1}>
      <span className="destination-head">
        {showsPicture && currentName !== undefined && (
          <NdiPicture name={currentName} label={label} isAway={destination.state !== 'routed'} />
        )}
        <span className="label" data-tip={name}>
          <span className="cut">{numberedLabel(destination)}</span>
          <small className="cut">{current}</small>
          <FaultOrReceivers destination={destination} />
          <LockOwner destination={destination} />
        </span>
        <PageLink matrixId={matrixId} destination={destination} tabIndex={isFocused ? 0 : -1} />
        <LockButton destination={destination} outOfTabOrder onClick={() => onLock(destination)} />
      </span>
    </th>
  )
}
