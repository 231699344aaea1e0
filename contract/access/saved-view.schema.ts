// Schemas of access/saved-view.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { INVALID_ARG, NAME_EXISTS, NOT_EXIST, NOT_PERMITTED, TOO_MANY } from '../codes.ts'
import { emptyRequest, id, listOf, own, textRule } from '../fields.schema.ts'
import { labelName } from '../rules/label.ts'
import { VIEW_LISTS, VIEW_QUERY_MAX } from './saved-view.ts'

export const ViewList = z.enum(VIEW_LISTS)

export const SavedView = z.object({
  id: z.int().meta(own('Id of the view')),
  list: ViewList.meta(own('`channels`, `devices`, `device-warnings`, `device-favorites`')),
  name: z.string().meta(own('Name, 1-64 characters; unique among the views of the user')),
  query: z.string().meta(own('Query of the address of the list, without `?`'))
})

export type ViewList = z.infer<typeof ViewList>
export type SavedView = z.infer<typeof SavedView>

const name = textRule(labelName)
const query = z
  .string()
  .max(VIEW_QUERY_MAX)
  .regex(/^[\w*.+%&=-]*$/)
  .describe('query of the address, encoded as that of a form: at most 1000 characters')

export const savedViewSchemas = {
  'GET /usr/view/list': {
    summary: 'Lists the saved views of the caller, by name. Not with an access token.',
    request: emptyRequest,
    response: listOf(SavedView),
    responseNote: 'list of views: `id`, `list`, `name`, `query`',
    errors: { [NOT_PERMITTED]: 'with an access token' },
    source: 'own',
    examples: [{}]
  },
  'POST /usr/view/add': {
    summary: 'Saves a view of a list for the caller. Returns its id. Not with an access token.',
    operation: ['Save view', '保存视图'],
    request: z.object({ list: ViewList, name, query }),
    response: z.object({ id: z.int() }),
    errors: {
      [INVALID_ARG]: '',
      [NAME_EXISTS]: '',
      [TOO_MANY]: '20 views of the caller',
      [NOT_PERMITTED]: 'with an access token'
    },
    source: 'own',
    examples: [{ list: 'channels', name: 'On air', query: 'state=on-air&view=compact' }]
  },
  'POST /usr/view/set': {
    summary: 'Changes name and query of a view of the caller. Not with an access token.',
    operation: ['Edit view', '编辑视图'],
    request: z.object({ id, name, query }),
    errors: { [INVALID_ARG]: '', [NOT_EXIST]: '', [NAME_EXISTS]: '', [NOT_PERMITTED]: 'with an access token' },
    source: 'own',
    examples: [{ id: 1, name: 'On air', query: 'state=on-air' }]
  },
  'POST /usr/view/del': {
    summary: 'Deletes a view of the caller. Not with an access token.',
    operation: ['Delete view', '删除视图'],
    request: z.object({ id }),
    errors: { [NOT_EXIST]: '', [NOT_PERMITTED]: 'with an access token' },
    source: 'own',
    examples: [{ id: 1 }]
  }
} satisfies CallSchemas
