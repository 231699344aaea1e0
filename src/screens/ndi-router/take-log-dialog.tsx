// The newest takes of a matrix, from the operation log.
import { atom } from 'nanostores'
import { useLayoutEffect } from 'react'
import { type LogRequest, listLog } from '../../../contract/log.ts'
import { LogLines } from '../../parts/log-lines.tsx'
import { linkTo } from '../../paths.ts'
import { createLiveList } from '../../state/live-list.ts'
import { t } from '../../text/language.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TEXT } from './dialog-text.ts'
import { useDialogMatrix } from './use-matrix.ts'

/** Lines in the dialog. The page of logs has all. */
const LINES_MAX = 100

const $request = atom<LogRequest>({ type: 'operation', count: LINES_MAX })
const $lines = createLiveList({
  call: listLog,
  request: $request,
  pace: 'slowest',
  topic: 'log'
})

interface TakeLogDialogProps {
  matrixId: number
  onClose: () => void
}

export function TakeLogDialog({ matrixId, onClose }: TakeLogDialogProps) {
  const matrix = useDialogMatrix(matrixId, onClose)
  const name = matrix?.name ?? ''
  // Set before the store is subscribed to, so that it does not first request other lines.
  useLayoutEffect(() => $request.set({ type: 'operation', count: LINES_MAX, key: name }), [name])
  return (
    <Dialog
      title={t(TEXT.logTitle, name)}
      onClose={onClose}
      cancelLabel={t(TEXT.close)}
      footer={
        <a className="button" href={`#${linkTo('logs', { key: name })}`}>
          {t(TEXT.allLogs)}
        </a>
      }
    >
      <LogLines store={$lines} />
    </Dialog>
  )
}
