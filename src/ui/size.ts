// The size class of the screen. The breakpoints are in the style sheet alone, which says the class as `--size`.
import { atom } from 'nanostores'
import { onMount } from './on-mount.ts'
import { useStore } from './use-store.ts'

/** From the smallest. */
export const SIZES = ['xxs', 'xs', 'sm', 'md', 'lg'] as const
export type Size = (typeof SIZES)[number]

/** Milliseconds (specification 9). */
const THROTTLE = 10

function measure(): Size {
  const said = getComputedStyle(document.documentElement).getPropertyValue('--size').trim()
  return SIZES.find((size) => size === said) ?? 'lg'
}

export const $size = atom<Size>('lg')

onMount($size, () => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      $size.set(measure())
    }, THROTTLE)
  }
  $size.set(measure())
  addEventListener('resize', look)
  return () => {
    removeEventListener('resize', look)
    clearTimeout(timer)
  }
})

export function useSize(): Size {
  return useStore($size)
}

/** Whether a screen is of a size or smaller. */
export function upTo(limit: Size, size: Size): boolean {
  return SIZES.indexOf(size) <= SIZES.indexOf(limit)
}
