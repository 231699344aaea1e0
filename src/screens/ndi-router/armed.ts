// The routes that the user has armed, and the choices of the user that this browser remembers.
import { atom } from 'nanostores'
import { CACHE_PREFIX } from '../../../contract/limits.ts'
import type { Matrix, Take } from '../../../contract/ndi/router.ts'
import { onSessionClear } from '../../state/session.ts'

/** Sources by destination, both by their numbers. */
export type Routes = ReadonlyMap<number, number>

const NOTHING: Routes = new Map()

/** The armed routes of the matrix on screen. */
export const $armed = atom<Routes>(NOTHING)

/** Routes that the hub was asked for and has not confirmed yet. */
export const $taking = atom<Routes>(NOTHING)

/** The effect of the last action, for screen readers. */
export const $announcement = atom('')

export const announce = (text: string): void => $announcement.set(text)

/** Whether an edit of the matrix has disarmed routes, and the user has neither armed nor taken any since. */
export const $isDisarmed = atom(false)

export function disarmAll(): void {
  $armed.set(NOTHING)
  $isDisarmed.set(false)
  $announcement.set('')
}

/** Disarms all routes after an edit of the matrix. */
export function disarmChanged(): void {
  if ($armed.get().size === 0) return
  disarmAll()
  $isDisarmed.set(true)
}

/** Arms a route in place of another one of the same destination; `undefined` disarms. */
export function arm(destination: number, source: number | undefined): void {
  const next = new Map($armed.get())
  if (source === undefined) next.delete(destination)
  else next.set(destination, source)
  $armed.set(next)
  $isDisarmed.set(false)
}

/**
 * The names of the sources in their order, and the number of destinations. After a change of it, the number of a source
 * may be that of another one.
 */
export const structureOf = ({ sources, destinations }: Matrix): string =>
  JSON.stringify([destinations.length, ...sources.map(({ name }) => name)])

/** The armed routes that would change something in the matrix as it is now, in the order of the destinations. */
export function armedTakes({ sources, destinations }: Matrix, armed: Routes): Take[] {
  return destinations.flatMap(({ index, source: current }) => {
    const source = armed.get(index)
    if (source === undefined || source === current) return []
    return source === 0 || sources.some((candidate) => candidate.index === source)
      ? [{ destination: index, source }]
      : []
  })
}

/** A choice that this browser remembers. */
function rememberedChoice(name: string, initial: boolean) {
  const key = `${CACHE_PREFIX}router-${name}`
  const stored = localStorage.getItem(key)
  const $choice = atom(stored === null ? initial : stored === '1')
  $choice.listen((isOn) => localStorage.setItem(key, isOn ? '1' : '0'))
  return $choice
}

/** Whether a click arms a route instead of taking it at once. */
export const $armsFirst = rememberedChoice('arm', true)

/** Whether the matrix shows pictures. */
export const $showsPictures = rememberedChoice('pictures', true)

onSessionClear(disarmAll)
