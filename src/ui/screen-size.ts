// The size class of the screen. The breakpoints are defined in the style sheet only, which sets the custom property
// `--size`.
import { atom } from 'nanostores'
import { onMount } from './on-mount.ts'
import { useStore } from './use-store.ts'

/** From small to large. */
export const SCREEN_SIZES = ['xxs', 'xs', 'sm', 'md', 'lg'] as const
export type ScreenSize = (typeof SCREEN_SIZES)[number]

/** Milliseconds between two measurements while the window is resized. */
const THROTTLE = 10

function measure(): ScreenSize {
  const value = getComputedStyle(document.documentElement).getPropertyValue('--size').trim()
  return SCREEN_SIZES.find((size) => size === value) ?? 'lg'
}

export const $screenSize = atom<ScreenSize>('lg')

onMount($screenSize, () => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const handleResize = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      $screenSize.set(measure())
    }, THROTTLE)
  }
  $screenSize.set(measure())
  addEventListener('resize', handleResize)
  return () => {
    removeEventListener('resize', handleResize)
    clearTimeout(timer)
  }
})

export function useScreenSize(): ScreenSize {
  return useStore($screenSize)
}

/** Whether `size` is `limit` or smaller. */
export function isAtMost(limit: ScreenSize, size: ScreenSize): boolean {
  return SCREEN_SIZES.indexOf(size) <= SCREEN_SIZES.indexOf(limit)
}
