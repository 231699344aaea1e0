// Bulk actions: one operation for many devices. For a single device, the result is notified in the same way as for any
// other call.
import type { Envelope } from '../../contract/call.ts'
import { OFF_AIR, SUCCESS } from '../../contract/codes.ts'
import { refreshLiveStores } from '../state/live-store.ts'
import { confirmOffAir, type ForceOption, type MutateOptions, mutate, succeeded } from '../state/mutations.ts'
import { onSessionClear } from '../state/session.ts'
import { notify, type SuccessMessage } from '../state/toasts.ts'
import { openDialog } from '../ui/dialog/dialog-host.tsx'
import { BulkDialog } from './bulk-dialog.tsx'
import { type BulkJob, type BulkReply, createBulkRun } from './bulk-run.ts'
import { deviceLink } from './device/device-link.ts'

/** Milliseconds until the progress dialog opens. A bulk action that ends sooner shows only a notification. */
const PROGRESS_DELAY = 400

/** Runs an operation for one or more devices and shows the result. @returns whether it succeeded for all devices */
export function runBulk(job: BulkJob): Promise<boolean> {
  const [first, ...others] = job.devices
  return first && others.length === 0
    ? succeeded(mutateDevice((force) => job.sendBatch([first.sn], force), { success: bulkSuccess(job) }))
    : runWithProgress(job)
}

/** The message of a success, which leads to the device if it is one and still exists. */
function bulkSuccess({ devices, outcome, isRemoval, listPath, undo }: BulkJob): SuccessMessage {
  const [first, ...others] = devices
  return {
    text: outcome,
    names: devices.map(({ name }) => name),
    ...(undo && { undo }),
    ...(first && others.length === 0 && !isRemoval
      ? { path: first.path ?? deviceLink(first) }
      : listPath && { path: listPath })
  }
}

/** Runs an operation for one device. @returns the reply, with the fields of the device's own result added */
export const mutateDevice = (
  sendToDevice: (force: ForceOption) => Promise<BulkReply>,
  options: MutateOptions
): Promise<Envelope> =>
  mutate(async (force) => {
    const { details: [detail] = [], ...reply } = await sendToDevice(force)
    return { ...detail, ...reply }
  }, options)

async function runWithProgress(job: BulkJob): Promise<boolean> {
  /** Questions are asked one after the other, and not below the progress dialog. */
  let question: Promise<boolean> | undefined
  const sendBatch: BulkJob['sendBatch'] = async (sn, force) => {
    const reply = await job.sendBatch(sn, force)
    if (reply.result !== OFF_AIR) return reply
    const answer = (question ?? Promise.resolve()).then(() => confirmOffAir([reply]))
    question = answer
    const isConfirmed = await answer
    if (question === answer) question = undefined
    return isConfirmed ? job.sendBatch(sn, {}) : reply
  }
  const run = createBulkRun({ ...job, sendBatch })
  // After signing out, no further batch is sent.
  const stopListening = onSessionClear(run.cancelWaiting)
  let isOpen = false

  function openProgress(): void {
    if (isOpen) return
    if (question) return void question.then(openProgress)
    isOpen = true
    const onRetry = () => {
      run.requeueFailed()
      void processDevices()
    }
    void openDialog(BulkDialog, { job, run, onRetry }).then(() => {
      // Navigation closes the dialog; a later failure opens it again.
      isOpen = false
      if (!run.$lines.get().some(({ state }) => state === 'waiting')) stopListening()
    })
  }

  async function processDevices(): Promise<boolean> {
    const timer = setTimeout(openProgress, PROGRESS_DELAY)
    await run.process()
    clearTimeout(timer)
    void refreshLiveStores()
    const allDone = run.$lines.get().every(({ state }) => state === 'done')
    if (allDone) notify(SUCCESS, bulkSuccess(job))
    else openProgress()
    if (!isOpen) stopListening()
    return allDone
  }

  return processDevices()
}
