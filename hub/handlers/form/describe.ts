// Describes the cards of a page in a language, with what the schemas of their calls say about the fields.

import type * as z from 'zod'
import type { CallSchema } from '../../../contract/call.schema.ts'
import type { Call } from '../../../contract/call.ts'
import { CALL_SCHEMAS } from '../../../contract/calls.schema.ts'
import { type JsonSchema, jsonSchemaOf } from '../../../contract/description.schema.ts'
import type {
  DeclaredButton,
  DeclaredCard,
  DeclaredDialog,
  DeclaredFact,
  DeclaredField,
  DeclaredList,
  DeclaredPart,
  DeclaredText
} from '../../../contract/form/declaration.schema.ts'
import type {
  FormButton,
  FormCard,
  FormDialog,
  FormFact,
  FormField,
  FormList,
  FormPart,
  FormText
} from '../../../contract/form/form.ts'
import { PORT_MAX } from '../../../contract/limits.ts'
import type { Translation } from '../../../contract/text/language.ts'
import { type Language, translate } from '../../messages/language.ts'

const requests = new Map<string, JsonSchema>()

/** JSON Schema of the request of a call. */
function requestSchema({ method, path }: Call): JsonSchema {
  const key = `${method} ${path}`
  const { request } = (CALL_SCHEMAS as Readonly<Record<string, CallSchema>>)[key] as CallSchema
  const schema = requests.get(key) ?? jsonSchemaOf(request, 'input')
  requests.set(key, schema)
  return schema
}

/**
 * The schema of a field of a request.
 * @param within schema of the object that has the field, of which the path has one name more
 * @throws Error if there is no such field
 */
export function schemaOfField(
  call: Call,
  path: string,
  within?: z.ZodType
): { schema: JsonSchema; isRequired: boolean } {
  let schema: JsonSchema | undefined = within ? jsonSchemaOf(within, 'input') : requestSchema(call)
  let isRequired = true
  for (const key of path.split('.').slice(within ? 1 : 0)) {
    isRequired = schema?.required?.includes(key) ?? false
    schema = /^\d+$/.test(key) ? schema?.items : schema?.properties?.[key]
  }
  if (!schema) throw new Error(`${call.path} has no field ${path}`)
  return { schema, isRequired }
}

function typeOf({ as }: DeclaredField, schema: JsonSchema): FormField['type'] {
  if (as) return as
  if (schema.type === 'boolean') return 'switch'
  if (schema.type === 'integer' || schema.type === 'number') return 'number'
  if (schema.type === 'array') return 'list'
  return schema.enum ? 'select' : 'text'
}

/** Words cards in one language. */
export class FormDescriber {
  readonly #language: Language

  constructor(language: Language) {
    this.#language = language
  }

  readonly #word = (text: Translation): string => translate(this.#language, text)

  card({ title, read, save, parts = [], find: _, ...card }: DeclaredCard): FormCard {
    return {
      ...card,
      title: this.#word(title),
      read: read.path,
      ...(save && {
        save: {
          path: save.call.path,
          access: save.access ?? save.call.access,
          ...(save.call.interrupts && { interrupts: true }),
          ...(save.confirm && {
            confirm: {
              text: this.#word(save.confirm.text),
              label: this.#word(save.confirm.label),
              ...(save.confirm.when && { when: [...save.confirm.when] })
            }
          })
        }
      }),
      parts: parts.map((part) => this.#part(part, save?.call))
    }
  }

  /** The labels that the search of the settings finds. */
  labels({ parts = [], find = [] }: DeclaredCard): string[] {
    const ofFields = parts.flatMap((part) => ('field' in part ? [part.label] : []))
    return [...find, ...ofFields].map(this.#word)
  }

  readonly title = ({ title }: DeclaredCard): string => this.#word(title)

  #part(part: DeclaredPart, save: Call | undefined): FormPart {
    const when = part.when && { when: [...part.when] }
    if ('list' in part) return { ...this.#list(part), ...when }
    if ('field' in part) return { ...this.#field(part, save as Call), ...when }
    if ('button' in part) return { ...this.#button(part), ...when }
    return { ...('fact' in part ? this.#fact(part) : this.#text(part)), ...when }
  }

  #text({ text, when: _, ...rest }: DeclaredText): FormText {
    return { ...rest, ...(text && { text: this.#word(text) }) }
  }

  #fact({ fact, states, when: _, ...rest }: DeclaredFact): FormFact {
    const worded = Object.entries(states ?? {}).map(([value, [tone, text]]) => [
      value,
      { tone, ...(text && { text: this.#word(text) }) }
    ])
    return { ...rest, fact: this.#word(fact), ...(states && { states: Object.fromEntries(worded) }) }
  }

  #button({ button, call, success, confirm, when: _, ...rest }: DeclaredButton): FormButton {
    return {
      ...rest,
      button: this.#word(button),
      path: call.path,
      access: call.access,
      ...(call.interrupts && { interrupts: true }),
      ...(success && { success: this.#word(success) }),
      ...(confirm && { confirm: this.#word(confirm) })
    }
  }

  #list({ empty, facts, add, edit, buttons, when: _, ...rest }: DeclaredList): FormList {
    return {
      ...rest,
      empty: this.#word(empty),
      facts: facts.map((fact) => this.#fact(fact)),
      ...(add && { add: this.#dialog(add) }),
      ...(edit && { edit: this.#dialog(edit) }),
      buttons: buttons.map((button) => this.#button(button))
    }
  }

  #dialog({ button, call, success, parts }: DeclaredDialog): FormDialog {
    return {
      button: this.#word(button),
      path: call.path,
      access: call.access,
      success: this.#word(success),
      parts: parts.map((part) => {
        const described = this.#part(part, call) as FormField | FormText
        if (!('type' in described)) return described
        // A secret that is left empty stays. Any other empty text or list removes what is stored.
        if (described.stored) return { ...described, optional: true as const }
        if (!['text', 'list', 'lines', 'choices'].includes(described.type)) return described
        const { optional: _, ...field } = described
        return field
      })
    }
  }

  #field(declared: DeclaredField, save: Call): FormField {
    const { field, as: _, within, label, hint, unit, stored, options, choices, when: __, ...rest } = declared
    const { schema, isRequired } = schemaOfField(save, field, within)
    const type = typeOf(declared, schema)
    const { minimum: min, maximum: max } = schema
    const range = type === 'number' && max !== undefined && max !== PORT_MAX ? this.#range(min ?? 0, max) : undefined
    const shownHint = hint ? this.#word(hint) : range
    const values = Object.entries(options ?? {}).map(([value, text]) => ({ value, label: this.#word(text) }))
    const ofSchema = (schema.enum ?? []).map((value) => ({ value: String(value), label: String(value) }))
    return {
      ...rest,
      name: field,
      type,
      label: unit ? `${this.#word(label)} (${this.#word(unit)})` : this.#word(label),
      ...(shownHint && { hint: shownHint }),
      ...(stored && { stored: { of: stored.of, hint: this.#word(stored.hint) } }),
      ...(type === 'select' && !choices && { options: options ? values : ofSchema }),
      ...(type === 'choices' && options && { options: values }),
      ...(choices && { choices: { ...choices, path: choices.call.path } }),
      ...([schema.type, schema.items?.type].includes('integer') && type !== 'number' && { numbers: true as const }),
      ...(type === 'number' && {
        ...(min !== undefined && { min }),
        ...(max !== undefined && { max }),
        ...(isRequired && { required: true })
      }),
      ...((!isRequired || type === 'address') && { optional: true }),
      ...(type === 'list' && schema.type === 'string' && { joined: true })
    }
  }

  /** A range as a hint: '1,000-1,000,000'. */
  #range(min: number, max: number): string {
    const format = new Intl.NumberFormat(this.#language)
    return `${format.format(min)}-${format.format(max)}`
  }
}
