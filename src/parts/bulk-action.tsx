// One thing done to many devices: in batches, so that what has not begun can still be cancelled; with what became of each of them in
// words, and another try for those that failed. One device is told of as any other call is.
import { atom, type WritableAtom } from 'nanostores'
import { useEffect } from 'react'
import type { Envelope } from '../../contract/call.ts'
import { NOT_EXIST, SUCCESS } from '../../contract/codes.ts'
import type { ActionResult } from '../../contract/device/action.ts'
import type { Device } from '../../contract/device/device.ts'
import { refreshLive } from '../state/live.ts'
import { onClear } from '../state/session.ts'
import { type ActOptions, act, type Force, tell, well } from '../state/toasts.ts'
import { type Pair, t } from '../text/language.ts'
import { answerText } from '../text/response-message.ts'
import type { Tone } from '../text/states.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { openDialog } from '../ui/dialog/dialog-host.tsx'
import { State } from '../ui/state.tsx'
import { type Column, Table } from '../ui/table/table.tsx'
import { useStore } from '../ui/use-store.ts'

const TEXT = {
  device: ['Device', '设备'],
  result: ['Result', '结果'],
  counts: ['{done} of {all} done, {failed} not', '共 {all} 台，完成 {done} 台，失败 {failed} 台'],
  waiting: ['Waiting', '等待中'],
  running: ['Under way', '进行中'],
  failed: ['Failed', '失败'],
  cancelled: ['Cancelled', '已取消'],
  done: ['Done', '完成'],
  cancelRest: ['Cancel the rest', '取消其余'],
  retry: ['Retry failed', '重试失败项'],
  close: ['Close', '关闭']
} as const satisfies Record<string, Pair>

/** Milliseconds after which the progress is shown: what is done sooner needs none. */
const SHOWN_AFTER = 400
/** Devices in one call, and calls under way at a time. */
const BATCH = 200
const LANES = 2

type Answer = Envelope & { details?: readonly ActionResult[] }

export interface Job {
  /** What is done: 'Reboot'. */
  title: string
  devices: readonly Pick<Device, 'sn' | 'name'>[]
  /** Does it to some of them. An answer without `details` goes for all. */
  make: (sn: string[], force: Force) => Promise<Answer>
  /** Devices in one call, where it is not only the hub that has to do something. */
  batch?: number
}

interface Line {
  sn: string
  name: string
  state: keyof typeof STATES
  /** What was said of it, once something was. */
  answer?: Envelope
}

interface Run {
  title: string
  $lines: WritableAtom<readonly Line[]>
  cancel: () => void
  retry: () => void
}

/** Does it, and says what became of it. @returns whether it went well with all */
export function onMany({ title, devices, make, batch = BATCH }: Job): Promise<boolean> {
  const [first] = devices
  return devices.length === 1 && first
    ? well(actOnOne((force) => make([first.sn], force)))
    : many(title, devices, make, batch)
}

/** Does something to one device, whose own result becomes that of the answer. */
export const actOnOne = (
  make: (force: Force) => Promise<Answer>,
  options?: Pick<ActOptions, 'quiet'>
): Promise<Envelope> =>
  act(async (force) => {
    const { details: [detail] = [], ...answer } = await make(force)
    return { ...detail, ...answer }
  }, options)

async function many(title: string, devices: Job['devices'], make: Job['make'], batch: number): Promise<boolean> {
  const $lines = atom<readonly Line[]>(devices.map(({ sn, name }) => ({ sn, name, state: 'waiting' })))
  let shown = false

  const set = (change: (line: Line) => Partial<Line> | false) =>
    $lines.set($lines.get().map((line) => ({ ...line, ...change(line) })))
  const cancel = () => set(({ state }) => state === 'waiting' && { state: 'cancelled' })
  // Nothing more is begun for somebody else.
  const forget = onClear(cancel)

  async function ask(serials: string[]): Promise<void> {
    const answer = await make(serials, {})
    // One that is gone has kept the others from it: all or none.
    if (!answer.details && answer.result === NOT_EXIST && serials.length > 1) {
      for (const sn of serials) await ask([sn])
      return
    }
    set(({ sn }) => {
      const own = answer.details?.find((detail) => detail.sn === sn) ?? answer
      return serials.includes(sn) && { state: own.result === SUCCESS ? 'done' : 'failed', answer: own }
    })
  }

  async function lane(): Promise<void> {
    for (;;) {
      const waiting = $lines.get().filter(({ state }) => state === 'waiting')
      const serials = waiting.slice(0, batch).map(({ sn }) => sn)
      if (serials.length === 0) return
      set(({ sn }) => serials.includes(sn) && { state: 'running' })
      await ask(serials)
    }
  }

  function retry(): void {
    set(({ state }) => (state === 'failed' || state === 'cancelled') && { state: 'waiting', answer: undefined })
    void work()
  }

  function show(): void {
    if (shown) return
    shown = true
    void openDialog(ManyDialog, { run: { title, $lines, cancel, retry } }).then(() => {
      // Left with the page it stood over, it comes again where something failed.
      shown = false
      if (!$lines.get().some(({ state }) => state === 'waiting')) forget()
    })
  }

  async function work(): Promise<boolean> {
    const timer = setTimeout(show, SHOWN_AFTER)
    await Promise.all(Array.from({ length: LANES }, lane))
    clearTimeout(timer)
    void refreshLive()
    const all = $lines.get().every(({ state }) => state === 'done')
    if (all) tell(SUCCESS)
    else show()
    if (!shown) forget()
    return all
  }

  return work()
}

/** What is told of a state, in the order of the lines. */
const STATES = {
  failed: ['bad', TEXT.failed],
  cancelled: ['off', TEXT.cancelled],
  running: ['busy', TEXT.running],
  waiting: ['off', TEXT.waiting],
  done: ['good', TEXT.done]
} as const satisfies Record<string, readonly [Tone, Pair]>

/** What became of it, and what to do next. */
function Result({ line: { state, answer } }: { line: Line }) {
  const [tone, word] = STATES[state]
  const [what, ...next] = answer ? answerText(answer) : []
  return <State tone={tone} text={(state === 'failed' && what) || t(word)} tip={next.join(' ') || undefined} />
}

const COLUMNS: readonly Column<Line>[] = [
  { key: 'name', title: TEXT.device, text: ({ name }) => name },
  {
    key: 'result',
    title: TEXT.result,
    cell: (line) => <Result line={line} />,
    sort: ({ state }) => Object.keys(STATES).indexOf(state)
  }
]

function ManyDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const { title, $lines, cancel, retry } = run
  const lines = useStore($lines)
  const count = (...states: Line['state'][]) => lines.filter(({ state }) => states.includes(state)).length
  const done = count('done')
  const failed = count('failed', 'cancelled')
  const busy = done + failed < lines.length
  const over = done === lines.length
  useEffect(() => {
    if (over) onClose()
  }, [over])
  return (
    <Dialog
      title={title}
      // What has begun cannot be taken back, and its result is worth seeing.
      onClose={busy ? cancel : onClose}
      cancel={t(busy ? TEXT.cancelRest : TEXT.close)}
      footer={failed > 0 && !busy && <Button kind="main" icon="retry" label={t(TEXT.retry)} onClick={retry} />}
    >
      <p role="status">{t(TEXT.counts, { done, all: lines.length, failed })}</p>
      <progress max={lines.length} value={done + failed} aria-label={title} />
      <Table
        list="results"
        label={title}
        columns={COLUMNS}
        rows={lines}
        keyOf={({ sn }) => sn}
        nameOf={({ name }) => name}
        sorting={{ key: 'result', order: 'ascending' }}
        tools={null}
      />
    </Dialog>
  )
}
