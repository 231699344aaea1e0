import { useEffect } from 'react'
import { SUCCESS } from '../../contract/codes.ts'
import { $toasts, dismiss, type SuccessMessage, setExpiryPaused, undo, undoLast } from '../state/toasts.ts'
import { t } from '../text/language.ts'
import { nameList } from '../text/outcomes.ts'
import { responseLines } from '../text/response-message.ts'
import { ToastList } from '../ui/toast-list.tsx'
import { useStore } from '../ui/use-store.ts'

const successLines = ({ text, names = [], note, lines = [] }: SuccessMessage) => [
  t(text, nameList(names)),
  ...(note ? [t(note.text, nameList(note.names))] : []),
  ...lines
]

/** Ctrl-Z undoes the last action of which a toast is shown, except in a field, where the browser undoes the typing. */
function undoByKey(event: KeyboardEvent): void {
  const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
  if (isUndo && !(event.target as Element).closest?.('input, textarea') && undoLast()) event.preventDefault()
}

/** Shows the replies in `$toasts` as messages in the current language. */
export function ToastHost() {
  useEffect(() => {
    addEventListener('keydown', undoByKey)
    return () => removeEventListener('keydown', undoByKey)
  }, [])
  const items = useStore($toasts).map((toast) => {
    const { id, response, success } = toast
    return {
      id,
      lines: success ? successLines(success) : responseLines(response),
      isFailure: response.result !== SUCCESS,
      href: success?.path && `#${success.path}`,
      ...(success?.undo && { onUndo: () => undo(toast) })
    }
  })
  return <ToastList items={items} onDismiss={dismiss} onReadingChange={setExpiryPaused} />
}
