import { SUCCESS } from '../../contract/codes.ts'
import { $toasts, dismiss, hold } from '../state/toasts.ts'
import { answerText } from '../text/response-message.ts'
import { Toasts } from '../ui/toasts.tsx'
import { useStore } from '../ui/use-store.ts'

/** Answers as sentences, in the language of now: the one place where an answer becomes a message. */
export function Notices() {
  const items = useStore($toasts).map(({ id, answer }) => ({
    id,
    lines: answerText(answer),
    failed: answer.result !== SUCCESS
  }))
  return <Toasts items={items} onDismiss={dismiss} onHold={hold} />
}
