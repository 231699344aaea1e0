import { SUCCESS } from '../../contract/codes.ts'
import { $toasts, dismiss, type SuccessMessage, setExpiryPaused } from '../state/toasts.ts'
import { t } from '../text/language.ts'
import { nameList } from '../text/outcomes.ts'
import { responseLines } from '../text/response-message.ts'
import { ToastList } from '../ui/toast-list.tsx'
import { useStore } from '../ui/use-store.ts'

const successLines = ({ text, names = [], note }: SuccessMessage) => [
  t(text, nameList(names)),
  ...(note ? [t(note.text, nameList(note.names))] : [])
]

/** Shows the replies in `$toasts` as messages in the current language. */
export function ToastHost() {
  const items = useStore($toasts).map(({ id, response, success }) => ({
    id,
    lines: success ? successLines(success) : responseLines(response),
    isFailure: response.result !== SUCCESS,
    href: success?.path && `#${success.path}`
  }))
  return <ToastList items={items} onDismiss={dismiss} onReadingChange={setExpiryPaused} />
}
