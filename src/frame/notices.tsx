import { SUCCESS } from '../../contract/codes.ts'
import { $toasts, dismiss } from '../state/toasts.ts'
import { codeText } from '../text/codes.ts'
import { Toasts } from '../ui/toasts.tsx'
import { useStore } from '../ui/use-store.ts'

/** Results as sentences, in the language of now: the one place where a code becomes a message. */
export function Notices() {
  const items = useStore($toasts).map(({ id, code }) => ({ id, text: codeText(code), failed: code !== SUCCESS }))
  return <Toasts items={items} onDismiss={dismiss} />
}
