// The tip that pops up over the page: a longer explanation that was asked for.
import { atom } from 'nanostores'

export interface Tip {
  title: string
  text: string
}

/** What the popup says; null = closed. */
export const $tip = atom<Tip | null>(null)

/** Shows a tip in the global popup. */
export function showTip(tip: Tip): void {
  $tip.set(tip)
}
