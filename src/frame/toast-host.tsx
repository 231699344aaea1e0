import { SUCCESS } from '../../contract/codes.ts'
import { $toasts, dismiss, setExpiryPaused } from '../state/toasts.ts'
import { responseLines } from '../text/response-message.ts'
import { ToastList } from '../ui/toast-list.tsx'
import { useStore } from '../ui/use-store.ts'

/** Shows the replies in `$toasts` as messages in the current language. */
export function ToastHost() {
  const items = useStore($toasts).map(({ id, response }) => ({
    id,
    lines: responseLines(response),
    isFailure: response.result !== SUCCESS
  }))
  return <ToastList items={items} onDismiss={dismiss} onReadingChange={setExpiryPaused} />
}
