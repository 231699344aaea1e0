// The tags that the user may see.
import { atom } from 'nanostores'
import { listTags, type Tag } from '../../contract/tag.ts'
import { createLiveList } from './live-list.ts'

export const $tags = createLiveList({
  call: listTags,
  request: atom({}),
  pace: 'slowest',
  topic: 'tag',
  keyOf: ({ id }: Tag) => id
})
