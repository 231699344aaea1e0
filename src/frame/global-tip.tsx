import { $tip } from '../state/tip.ts'
import { t } from '../text/language.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useStore } from '../ui/use-store.ts'
import { TEXT } from './text.ts'

/** The global popup that shows a tip. */
export function GlobalTip() {
  const tip = useStore($tip)
  if (!tip) return null
  return (
    <Dialog title={tip.title} cancel={t(TEXT.gotIt)} onClose={() => $tip.set(null)}>
      <p>{tip.text}</p>
    </Dialog>
  )
}
