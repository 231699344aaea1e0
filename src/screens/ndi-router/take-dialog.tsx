// Shows the routes of a take before and after, and takes them after a confirmation. Follows the state of the hub while
// it is open.
import { useState } from 'react'
import type { Envelope } from '../../../contract/call.ts'
import type { Matrix, Take } from '../../../contract/ndi/router.ts'
import { succeeded } from '../../state/mutations.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { destinationLabel, itemAt, sourceFault, sourceLabel } from './describe.ts'
import { askForOverride, isLockedByOther } from './take.ts'
import { TEXT } from './take-text.ts'
import { TEXT as ROUTER_TEXT } from './text.ts'
import { useDialogMatrix, useTakeObstacle } from './use-matrix.ts'

/** Routes as they are and as they will be. */
export function TakesTable({ matrix, takes }: { matrix: Matrix; takes: readonly Take[] }) {
  return (
    <table className="takes">
      <thead>
        <tr>
          <th scope="col">{t(TEXT.destination)}</th>
          <th scope="col">{t(TEXT.before)}</th>
          <th scope="col">{t(TEXT.after)}</th>
        </tr>
      </thead>
      <tbody>
        {takes.map((take) => (
          <TakeRow key={take.destination} matrix={matrix} take={take} />
        ))}
      </tbody>
    </table>
  )
}

function TakeRow({ matrix, take: { destination: index, source } }: { matrix: Matrix; take: Take }) {
  const destination = itemAt(matrix.destinations, index)
  const target = itemAt(matrix.sources, source)
  const fault = target && sourceFault(target)
  const isUnchanged = destination?.source === source
  return (
    <tr className={isUnchanged ? 'muted' : undefined}>
      <th scope="row">
        {destinationLabel(matrix, index)}
        {destination && isLockedByOther(destination) && (
          <small>{t(ROUTER_TEXT.lockedBy, destination['locked-by'] ?? '')}</small>
        )}
      </th>
      <td>{sourceLabel(matrix, destination?.source ?? 0)}</td>
      <td>
        {isUnchanged ? t(TEXT.unchanged) : sourceLabel(matrix, source)}
        {fault && <StatusLabel tone={fault.tone} text={fault.text} />}
      </td>
    </tr>
  )
}

interface TakeDialogProps {
  matrixId: number
  title: string
  /** Text above the takes, computed as they are. */
  textOf?: (matrix: Matrix) => string
  confirmLabel: string
  /** The takes, computed again from each state of the matrix. */
  takesOf: (matrix: Matrix) => readonly Take[]
  /** Makes the takes. @param override whether locks of other users are ignored */
  send: (matrix: Matrix, override: boolean) => Promise<Envelope>
  onClose: (completed?: boolean) => void
}

export function TakeDialog({ matrixId, title, textOf, confirmLabel, takesOf, send, onClose }: TakeDialogProps) {
  const matrix = useDialogMatrix(matrixId, onClose)
  const obstacle = useTakeObstacle()
  const [busy, setBusy] = useState(false)
  if (!matrix) return null
  const takes = takesOf(matrix)
  const take = async () => {
    setBusy(true)
    const override = await askForOverride(matrix, takes)
    const isDone = override !== undefined && (await succeeded(send(matrix, override)))
    setBusy(false)
    if (isDone) onClose(true)
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <Button
          kind="main"
          label={confirmLabel}
          busy={busy}
          disabled={obstacle !== undefined || takes.length === 0}
          tooltip={obstacle}
          onClick={() => void take()}
        />
      }
    >
      {textOf && <p>{textOf(matrix)}</p>}
      <TakesTable matrix={matrix} takes={takes} />
    </Dialog>
  )
}
