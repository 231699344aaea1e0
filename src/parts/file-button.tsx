import { useRef } from 'react'
import type { Who } from '../../contract/call.ts'
import { t } from '../text/language.ts'
import { percent } from '../text/numbers.ts'
import * as UI from '../ui/text.ts'
import { ActButton } from './actions.tsx'

interface FileButtonProps {
  /** The call that sends it, for who may. */
  call: { who: Who }
  label: string
  /** Endings of names, as the platform takes them. */
  accept: string
  /** What is on its way, and how much of it is there, from 0 to 1. */
  sending: { name: string; share: number } | undefined
  onFile: (file: File) => unknown
  onCancel: () => unknown
}

/** Chooses a file to be sent, or ends that; with how far it is. */
export function FileButton({ call, label, accept, sending, onFile, onCancel }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <ActButton
        call={call}
        kind={sending ? undefined : 'main'}
        icon={sending ? 'close' : 'plus'}
        label={sending ? t(UI.cancel) : label}
        onAct={() => (sending ? onCancel() : input.current?.click())}
      />
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) onFile(file)
          // The same file may be chosen again.
          currentTarget.value = ''
        }}
      />
      {sending && (
        <>
          <progress value={sending.share} aria-label={sending.name} />
          <span className="num">{percent(100 * sending.share)}</span>
          {sending.name}
        </>
      )}
    </>
  )
}
