// Schemas of form/form. A card is declared with sentences in English and Chinese (`contract/form/pages/`), and served
// in the language of the request with what the schema of its call says about the fields.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { TOPICS } from '../change-feed.ts'
import { since } from '../fields.schema.ts'
import { FORM_PAGES } from './form.ts'

const path = z.string()

/** A value is in the response of `read`, in `answer` (the response to a button), or a field of the form. */
export const FormCondition = z.object({
  of: path.describe('Name of a field, or path of a value'),
  is: z.array(z.json()).optional().describe('The condition holds with one of these values; `null`: absent'),
  not: z.array(z.json()).optional().describe('The condition holds with any other value')
})
const when = z.array(FormCondition).optional().describe('All have to hold; otherwise the part is hidden')

const tone = z.enum(['good', 'warn', 'bad', 'off', 'busy'])

export const FormText = z.object({
  text: z.string().optional(),
  value: path.optional().describe('Path of the sentence, if `text` is absent'),
  as: z.enum(['muted', 'fault', 'banner', ...tone.options]).optional(),
  when
})

export const FormFact = z.object({
  fact: z.string().describe('Label'),
  value: path,
  as: z
    .enum(['number', 'ago', 'age'])
    .optional()
    .describe('`ago`: a time in milliseconds since the epoch; `age`: a duration in seconds'),
  unit: z.string().optional(),
  each: path.optional().describe('With a list: path of the text in each item'),
  states: z
    .record(z.string(), z.object({ tone, text: z.string().optional() }))
    .optional()
    .describe('By value; empty key: absent; `*`: any other. Without `text` the value is shown'),
  words: path.optional().describe('With `states`: path of the words, if a state has none'),
  since: path
    .optional()
    .describe(
      'With `states`: when the state began, or, with `as` `ago`, when the event happened, in milliseconds since the epoch'
    ),
  when
})

export const FormField = z.object({
  name: z.string().describe('Path of the field in the request'),
  type: z.enum([
    'text',
    'lines',
    'secret',
    'number',
    'switch',
    'checkbox',
    'select',
    'list',
    'address',
    'consent',
    'choices'
  ]),
  label: z.string(),
  hint: z.string().optional(),
  stored: z
    .object({ of: path, hint: z.string() })
    .optional()
    .describe('Hint while a secret is stored, which `of` says'),
  from: path.optional().describe('Path of the stored value in the response of `read`, if it is not `name`'),
  default: z.union([z.string(), z.number()]).optional().describe('Initial value, if none is stored'),
  options: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  required: z.literal(true).optional(),
  optional: z.literal(true).optional().describe('Left out of the request while it is empty'),
  choices: z
    .object({ path, topic: z.enum(TOPICS), at: path, value: path, label: path })
    .optional()
    .describe(
      'With `select` and `choices`: the call whose rows are the options, and the paths of their values and labels'
    ),
  numbers: z.literal(true).optional().describe('With `select`, `choices` and `list`: numbers on the wire'),
  joined: z.literal(true).optional().describe('With `list`: one text with commas on the wire, not an array'),
  when
})

export const FormButton = z.object({
  button: z.string().describe('Label'),
  path: z.string().describe('Path of the call'),
  access: z.union([z.number(), z.string()]),
  interrupts: z.literal(true).optional(),
  fields: z.array(z.string()).optional().describe('Beginnings of the names of the fields that it sends'),
  request: z.record(z.string(), z.json()).optional().describe('What it sends besides'),
  subscribe: z
    .object({ key: path, worker: z.string() })
    .optional()
    .describe(
      'The browser asks its push service for a subscription with the key at this path, with this service worker, and the button sends the subscription. If the browser refuses, `answer.blocked` of the card is `true`'
    ),
  success: z.string().optional().describe('Message about result 0. Absent: the card shows the response as `answer`'),
  danger: z.literal(true).optional(),
  confirm: z.string().optional().describe('Question before the call is made'),
  when
})

export const FormDialog = z.object({
  button: z.string().describe('Label of the button that opens it'),
  path: z.string().describe('Path of the call. The call of a dialog that edits a row gets the `id` of the row'),
  access: z.union([z.number(), z.string()]),
  success: z.string().optional(),
  parts: z
    .array(z.union([FormField, FormText]))
    .describe('Fields and sentences, whose conditions and stored values are paths in the row')
})

export const FormList = z.object({
  list: path.describe('Path of the rows, each of which has an `id`'),
  name: path.describe('Path in a row of its heading'),
  empty: z.string().describe('Sentence while there are no rows'),
  facts: z.array(FormFact).describe('Facts of each row, whose values are paths in the row'),
  add: FormDialog.optional(),
  edit: FormDialog.optional(),
  buttons: z.array(FormButton).describe('Buttons of each row, whose calls get its `id`'),
  when
})

export const FormPart = z.union([FormList, FormFact, FormField, FormButton, FormText])

export const FormCard = z.object({
  name: z.string(),
  title: z.string(),
  read: z.string().describe('Path of the call whose response has the stored values and states'),
  topic: z.enum(TOPICS).describe('The values are requested again when the change feed announces it'),
  at: path.optional().describe('Path of the stored values in the response'),
  save: z
    .object({
      path: z.string(),
      access: z.union([z.number(), z.string()]),
      interrupts: z.literal(true).optional(),
      confirm: z.object({ text: z.string(), label: z.string(), when }).optional()
    })
    .optional()
    .describe('The call that stores the fields'),
  parts: z.array(FormPart),
  obstacle: path.optional().describe('Path of the reason why the hub is not set up for what the card is named after')
})

/** A card and its labels, for the search of the settings. */
export const FormEntry = z.object({
  route: z.enum(FORM_PAGES),
  tab: z.string().optional(),
  name: z.string(),
  title: z.string(),
  labels: z.array(z.string())
})

export type FormCondition = z.infer<typeof FormCondition>
export type FormText = z.infer<typeof FormText>
export type FormFact = z.infer<typeof FormFact>
export type FormField = z.infer<typeof FormField>
export type FormButton = z.infer<typeof FormButton>
export type FormDialog = z.infer<typeof FormDialog>
export type FormList = z.infer<typeof FormList>
export type FormPart = z.infer<typeof FormPart>
export type FormCard = z.infer<typeof FormCard>
export type FormEntry = z.infer<typeof FormEntry>

export const formSchemas = {
  'GET /form': {
    summary:
      'Describes the cards of a page: their fields, states and buttons, in the language of the request. Cards whose values the caller may not read are left out. Without `name`: titles and labels of all cards.',
    request: z.object({
      name: z.enum(FORM_PAGES).optional().describe('Page; absent: labels of all pages'),
      since: since.describe('Revision that the console has')
    }),
    response: z.object({
      rev: z.int().describe('Revision of the description'),
      partial: z.boolean().optional().describe('`true`: nothing has changed since revision `since`'),
      cards: z.array(FormCard).optional().describe('With `name`'),
      entries: z.array(FormEntry).optional().describe('Without `name`')
    }),
    responseNote: '`rev`, `partial` (nothing has changed since revision `since`), `cards`, or `entries` without `name`',
    source: 'own',
    examples: [{}, { name: 'logs', since: 1 }]
  }
} satisfies CallSchemas
