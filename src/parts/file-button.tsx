import { useRef } from 'react'
import type { Access } from '../../contract/call.ts'
import { t } from '../text/language.ts'
import { percent } from '../text/numbers.ts'
import * as UI from '../ui/text.ts'
import { CallButton } from './actions.tsx'

interface FileButtonProps {
  /** The call that uploads the file. The button is disabled for users without the permission. */
  call: { access: Access }
  label: string
  /** File name extensions, as in the `accept` attribute. */
  accept: string
  /** The upload in progress, from 0 to 1. Without a number it is being processed. */
  upload: { name: string; progress?: number | undefined } | undefined
  onFile: (file: File) => unknown
  onCancel: () => unknown
  /** Why no file can be uploaded, as a sentence. */
  disabledReason?: string | undefined
}

/** Button that selects a file to upload. During the upload it cancels, and the progress is shown beside it. */
export function FileButton({ call, label, accept, upload, onFile, onCancel, disabledReason }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <CallButton
        call={call}
        kind={upload ? undefined : 'main'}
        icon={upload ? 'close' : 'plus'}
        label={upload ? t(UI.cancel) : label}
        disabledReason={upload ? undefined : disabledReason}
        onClick={() => (upload ? onCancel() : input.current?.click())}
      />
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) onFile(file)
          // Lets the user select the same file again.
          currentTarget.value = ''
        }}
      />
      {upload && (
        <>
          <progress value={upload.progress} aria-label={upload.name} />
          {upload.progress !== undefined && <span className="num">{percent(100 * upload.progress)}</span>}
          {upload.name}
        </>
      )}
    </>
  )
}
