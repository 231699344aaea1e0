// The fields of a schema with their descriptions, for the tables of docs/wire.md.
import type * as z from 'zod'
import { globalRegistry } from 'zod'

export interface Field {
  name: string
  description: string
  /** Mark of the field; empty if it has none of its own. */
  source: string
  schema: z.core.$ZodType
}

type Def = Record<string, unknown> & { type: string }

const defOf = (schema: z.core.$ZodType) => schema._zod.def as unknown as Def

/** The schema inside of one that is optional, has a default, is converted, or is a list. */
function innerOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  const def = defOf(schema)
  if (def.type === 'pipe') {
    const [input, output] = [def.in, def.out] as z.core.$ZodType[]
    return input && defOf(input).type === 'transform' ? output : input
  }
  if (def.type === 'array') return def.element as z.core.$ZodType
  return def.innerType as z.core.$ZodType | undefined
}

/** Metadata of a schema, or of the nearest one inside of it. */
function metaOf(schema: z.core.$ZodType): { description?: string; source?: string } {
  for (let part: z.core.$ZodType | undefined = schema; part; part = innerOf(part)) {
    const meta = globalRegistry.get(part)
    if (meta?.description) return meta
  }
  return {}
}

/** The object or union of objects inside of a schema. */
export function objectIn(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  for (let part: z.core.$ZodType | undefined = schema; part; part = innerOf(part))
    if (['object', 'union'].includes(defOf(part).type)) return part
  return undefined
}

/** What schemas have in common that differ in their metadata alone. */
export const identityOf = (schema: z.core.$ZodType): unknown => defOf(schema).shape ?? defOf(schema)

/** The objects of a union, or the one object. */
export function variantsOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const { type, options } = defOf(schema)
  return type === 'union' ? (options as z.core.$ZodType[]) : [schema]
}

/** The fields of an object; of a union those of all its variants. */
export function fieldsOf(schema: z.core.$ZodType): Field[] {
  const object = objectIn(schema)
  if (!object) return []
  const def = defOf(object)
  if (def.type === 'union') {
    const all = (def.options as z.core.$ZodType[]).flatMap(fieldsOf)
    return all.filter(({ name }, index) => all.findIndex((field) => field.name === name) === index)
  }
  return Object.entries(def.shape as Record<string, z.core.$ZodType>).map(([name, field]) => {
    const { description = '', source = '' } = metaOf(field)
    return { name, description, source, schema: field }
  })
}
