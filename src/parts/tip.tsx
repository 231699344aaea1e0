import { type Pair, t } from '../text/language.ts'
import { Dialog } from '../ui/dialog.tsx'
import { openDialog } from './dialog-host.tsx'

const TEXT = {
  gotIt: ['Got it', '知道了']
} as const satisfies Record<string, Pair>

/** Pops up over the page a longer explanation that was asked for (specification 3). @returns when it was read */
export async function showTip({ title, text }: { title: string; text: string }): Promise<void> {
  await openDialog(Dialog, { title, cancel: t(TEXT.gotIt), children: <p>{text}</p> })
}
