// The upload of a file. It goes on while the user is elsewhere in the console; there is one at a time.
import { atom } from 'nanostores'
import { startUpload } from '../../../contract/firmware.ts'
import { CONNECTION } from '../../../contract/stream/protocols.ts'
import { sendFile } from '../../link/upload.ts'
import { FileButton } from '../../parts/file-button.tsx'
import { onClear } from '../../state/session.ts'
import { act } from '../../state/toasts.ts'
import { t } from '../../text/language.ts'
import { connectionWord } from '../../text/states.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { State } from '../../ui/state.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './text.ts'

interface Uploading {
  file: File
  /** Bytes that the hub has. */
  sent: number
  /** The hub is not heard. */
  broken?: boolean
  cancel: () => void
}

const $upload = atom<Uploading | undefined>(undefined)

// What one user began is not for the next. The hub keeps what it has: the same user may choose the file again.
onClear(() => $upload.get()?.cancel())

async function upload(file: File): Promise<void> {
  const over = new AbortController()
  const { signal } = over
  const cancel = () => over.abort()
  const told = (sent: number, broken?: boolean) => $upload.set({ file, sent, broken, cancel })
  async function replace() {
    const yes = await confirm({ title: t(TEXT.replace, file.name), verb: t(TEXT.upload) })
    if (!yes) cancel()
    return yes
  }
  told(0)
  // Only its end by the user rejects.
  await act(sendFile(file, { signal, told, replace }), { quiet: () => signal.aborted }).catch(() => {})
  $upload.set(undefined)
}

/** Chooses a file and sends it, or ends that; with how far it is. */
export function Upload() {
  const { file, sent = 0, broken, cancel } = useStore($upload) ?? {}
  return (
    <>
      <FileButton
        call={startUpload}
        label={t(TEXT.upload)}
        accept=".mwf"
        sending={file && { name: file.name, share: sent / file.size }}
        onFile={upload}
        onCancel={() => cancel?.()}
      />
      <span role="status">{broken && <State {...connectionWord(CONNECTION.connecting)} />}</span>
    </>
  )
}
