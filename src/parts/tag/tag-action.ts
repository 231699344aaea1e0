// The action that edits tags: apart from the lists with tags, because the actions on devices are in the first load.
import { assignTags, TAG_EDIT, type TaggedKind } from '../../../contract/tag.ts'
import type { Translation } from '../../text/language.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { lazyDialog } from '../../ui/lazy/lazy.tsx'
import type { Action } from '../actions.tsx'
import type { Tagged } from './tag-chips.tsx'

const TagDialog = lazyDialog(() => import('./tag-dialog.tsx').then((module) => module.TagDialog))

const EDIT: Translation = ['Edit tags', '编辑标签']

/** Edits the tags of objects of a kind. */
export function tagAction<Row extends Tagged>(kind: TaggedKind): Action<Row> {
  const call = { access: TAG_EDIT[kind], path: assignTags.path }
  return { call, icon: 'tag', verb: EDIT, run: (objects) => openDialog(TagDialog, { kind, objects }) }
}
