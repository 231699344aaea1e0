// Progress dialog of a bulk action: the state of each device, with buttons to cancel the remaining devices or to retry
// the failed ones.
import { useEffect } from 'react'
import { type Translation, t } from '../text/language.ts'
import { responseLines } from '../text/response-message.ts'
import type { Tone } from '../text/states.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { StatusLabel } from '../ui/status-label.tsx'
import { type Column, Table } from '../ui/table/table.tsx'
import { useStore } from '../ui/use-store.ts'
import { type BulkJob, type BulkLine, type BulkRun, type BulkState, canRetry } from './bulk-run.ts'

const TEXT = {
  name: ['Name', '名称'],
  result: ['Result', '结果'],
  counts: ['{done} of {all} done, {failed} failed', '共 {all} 项，完成 {done} 项，失败 {failed} 项'],
  queuedCounts: ['{done} of {all} queued, {failed} failed', '共 {all} 项，已排队 {done} 项，失败 {failed} 项'],
  queued: ['Queued', '排队中'],
  progress: ['Show progress', '查看进度'],
  waiting: ['Waiting', '等待中'],
  running: ['In progress', '进行中'],
  failed: ['Failed', '失败'],
  cancelled: ['Cancelled', '已取消'],
  done: ['Done', '完成'],
  cancelRest: ['Cancel the rest', '取消其余'],
  retry: ['Retry failed', '重试失败项'],
  close: ['Close', '关闭']
} as const satisfies Record<string, Translation>

/** Label of each state. The table sorts lines by this order. */
const STATES: Readonly<Record<BulkState, readonly [Tone, Translation]>> = {
  failed: ['bad', TEXT.failed],
  cancelled: ['off', TEXT.cancelled],
  running: ['busy', TEXT.running],
  waiting: ['off', TEXT.waiting],
  done: ['good', TEXT.done]
}

/** State of one device. A failure shows its cause, and the next step in the tooltip. */
function Result({ line: { state, reply }, isQueue }: { line: BulkLine; isQueue: boolean }) {
  const [tone, label] = state === 'done' && isQueue ? QUEUED : STATES[state]
  const [cause, ...nextSteps] = reply ? responseLines(reply) : []
  return (
    <StatusLabel
      tone={tone}
      text={(state === 'failed' && cause) || t(label)}
      tooltip={nextSteps.join(' ') || undefined}
    />
  )
}

const QUEUED = ['busy', TEXT.queued] as const

const columnsFor = (isQueue: boolean): readonly Column<BulkLine>[] => [
  { key: 'name', title: TEXT.name, text: ({ name }) => name },
  {
    key: 'result',
    title: TEXT.result,
    cell: (line) => <Result line={line} isQueue={isQueue} />,
    sort: ({ state }) => Object.keys(STATES).indexOf(state)
  }
]

interface BulkDialogProps {
  job: BulkJob
  run: BulkRun
  onRetry: () => void
  onClose: () => void
}

export function BulkDialog({ job: { title, progressPath }, run, onRetry, onClose }: BulkDialogProps) {
  const isQueue = progressPath !== undefined
  const lines = useStore(run.$lines)
  const count = (...states: BulkState[]) => lines.filter(({ state }) => states.includes(state)).length
  const doneCount = count('done')
  const failed = count('failed', 'cancelled')
  const isBusy = doneCount + failed < lines.length
  const isDone = doneCount === lines.length
  useEffect(() => {
    if (isDone) onClose()
  }, [isDone])
  return (
    <Dialog
      title={title}
      // Calls in progress cannot be cancelled, so the dialog stays open until their results are known.
      onClose={isBusy ? run.cancelWaiting : onClose}
      cancelLabel={t(isBusy ? TEXT.cancelRest : TEXT.close)}
      footer={
        !isBusy && lines.some(canRetry) && <Button kind="main" icon="retry" label={t(TEXT.retry)} onClick={onRetry} />
      }
    >
      <p role="status">
        {t(isQueue ? TEXT.queuedCounts : TEXT.counts, { done: doneCount, all: lines.length, failed })}
      </p>
      <progress max={lines.length} value={doneCount + failed} aria-label={title} />
      {progressPath && doneCount > 0 && (
        <p>
          <a href={`#${progressPath}`}>{t(TEXT.progress)}</a>
        </p>
      )}
      <Table
        settingsKey="results"
        label={title}
        columns={columnsFor(isQueue)}
        rows={lines}
        keyOf={({ sn }) => sn}
        nameOf={({ name }) => name}
        sorting={{ key: 'result', order: 'ascending' }}
        toolbar={null}
      />
    </Dialog>
  )
}
