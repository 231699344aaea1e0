// Upload of a firmware file. It continues while the user is on other screens. There is one upload at a time.

import { atom } from 'nanostores'
import { FILE_TYPE_ERROR } from '../../../contract/codes.ts'
import { startUpload } from '../../../contract/firmware.ts'
import { firmwareFile } from '../../../contract/rules/file.ts'
import { uploadFile } from '../../link/upload.ts'
import { FileButton } from '../../parts/file-button.tsx'
import { linkTo } from '../../paths.ts'
import { mutate } from '../../state/mutations.ts'
import { onSessionClear } from '../../state/session.ts'
import { notify } from '../../state/toasts.ts'
import { t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './text.ts'

interface UploadProgress {
  file: File
  /** Bytes that the hub has received. */
  sentBytes: number
  /** The connection to the hub is interrupted. */
  isInterrupted?: boolean
  cancel: () => void
}

const $upload = atom<UploadProgress | undefined>(undefined)

// Signing out cancels the upload. The hub keeps the received part: the user can resume by selecting the file again.
onSessionClear(() => $upload.get()?.cancel())

async function startFileUpload(file: File): Promise<void> {
  if (firmwareFile(file.name)) return notify(FILE_TYPE_ERROR)
  const abortController = new AbortController()
  const { signal } = abortController
  const cancel = () => abortController.abort()
  const setProgress = (sentBytes: number, isInterrupted?: boolean) =>
    $upload.set({ file, sentBytes, isInterrupted, cancel })
  async function confirmReplace() {
    const isConfirmed = await confirm({ title: t(TEXT.replace, file.name), confirmLabel: t(TEXT.upload) })
    if (!isConfirmed) cancel()
    return isConfirmed
  }
  setProgress(0)
  // The promise rejects only if the user cancels.
  await mutate(uploadFile(file, { signal, onProgress: setProgress, confirmReplace }), {
    isShownElsewhere: () => signal.aborted,
    success: { text: OUTCOME.added, names: [file.name], path: linkTo('firmware') }
  }).catch(() => {})
  $upload.set(undefined)
}

/** Button that uploads a firmware file, with the progress of the upload. */
export function FirmwareUpload() {
  const { file, sentBytes = 0, isInterrupted, cancel } = useStore($upload) ?? {}
  return (
    <>
      <FileButton
        call={startUpload}
        label={t(TEXT.upload)}
        accept=".mwf"
        upload={file && { name: file.name, progress: sentBytes / file.size }}
        onFile={startFileUpload}
        onCancel={() => cancel?.()}
      />
      <span role="status">
        {isInterrupted ? (
          <StatusLabel tone="busy" text={t(TEXT.connecting)} />
        ) : (
          file && sentBytes === file.size && <StatusLabel tone="busy" text={t(TEXT.verifying)} />
        )}
      </span>
    </>
  )
}
