// Audio levels of the channels on screen. The hub decodes the audio of each requested channel, so only those
// on screen are requested.
import { atom, computed } from 'nanostores'
import { CHANNEL_LEVELS_MAX } from '../../../contract/limits.ts'
import { channelLevels } from '../../../contract/stream/channel.ts'
import { createLiveValue } from '../../state/live-value.ts'

/** Number of meters on screen, by channel. */
const $watched = atom<ReadonlyMap<number, number>>(new Map())

/** Shows a channel's level. @returns ends it */
export function watchLevel(id: number): () => void {
  const change = (step: number) => {
    const watched = new Map($watched.get())
    const count = (watched.get(id) ?? 0) + step
    if (count > 0) watched.set(id, count)
    else watched.delete(id)
    $watched.set(watched)
  }
  change(1)
  return () => change(-1)
}

/** The levels of the watched channels. */
export const $levels = createLiveValue({
  call: channelLevels,
  request: computed($watched, (watched) => ({ ids: [...watched.keys()].slice(0, CHANNEL_LEVELS_MAX).join() || '0' })),
  pace: 'fast'
})
