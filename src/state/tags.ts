// The tags that the user may see.
import { listTags } from '../../contract/tag.ts'
import { createLiveList } from './live-list.ts'

export const $tags = createLiveList({
  call: listTags,
  pace: 'slowest',
  topic: 'tag'
})
