// Request schemas of the calls for the NDI router.
import * as z from 'zod'
import { ALLOW_LIST_MAX } from '../../limits.ts'
import * as router from '../../ndi/router.ts'
import { matrixBaseName, matrixLabel, matrixSourceName } from '../../rules/matrix.ts'
import { clientRange } from '../../rules/network.ts'
import { defineSchema, faultIssue, id, mark, page, port, since, textRule, wholeNumber } from '../schema.ts'

const { MATRIX_SIDE_MAX } = router
const label = textRule(matrixLabel)
const index = wholeNumber(1, MATRIX_SIDE_MAX)

/** Refuses a list in which a value occurs twice. */
const unique = <Item>(keyOf: (item: Item) => unknown) =>
  z.superRefine<Item[]>((items, context) => {
    if (new Set(items.map(keyOf)).size < items.length) context.addIssue(faultIssue({ name: 'taken' }))
  })

const takes = z
  .array(z.object({ destination: index, source: wholeNumber(0, MATRIX_SIDE_MAX) }))
  .min(1)
  .max(MATRIX_SIDE_MAX)
  .check(unique(({ destination }) => destination))
const fields = {
  name: label,
  machine: textRule(matrixBaseName()),
  sources: z
    .array(z.object({ label: label.optional(), name: textRule(matrixSourceName) }))
    .max(MATRIX_SIDE_MAX)
    .check(unique(({ name }) => name)),
  destinations: z
    .array(z.object({ label: label.optional() }))
    .min(1)
    .max(MATRIX_SIDE_MAX)
}
const panel = z.object({
  enable: z.boolean(),
  port,
  'allow-ip': z.array(textRule(clientRange)).max(ALLOW_LIST_MAX),
  destinations: z
    .array(index)
    .max(MATRIX_SIDE_MAX)
    .check(unique((destination) => destination))
})
const override = z.boolean().optional()
const force = z.boolean().optional()
const revision = id.optional()

defineSchema(router.listMatrices, z.object({ ...page, since, mark }))
defineSchema(router.addMatrix, z.object(fields))
defineSchema(
  router.setMatrix,
  z.object({
    id,
    name: fields.name.optional(),
    machine: fields.machine.optional(),
    sources: fields.sources.optional(),
    destinations: fields.destinations.optional(),
    panel: panel.optional(),
    force
  })
)
defineSchema(router.deleteMatrix, z.object({ id, force }))
defineSchema(router.takeRoutes, z.object({ id, takes, override, at: id.optional(), name: label.optional(), revision }))
defineSchema(router.lockDestination, z.object({ id, destination: index, locked: z.boolean(), override, revision }))
defineSchema(router.addSalvo, z.object({ id, name: label, takes }))
defineSchema(router.setSalvo, z.object({ id, salvo: id, name: label.optional(), takes: takes.optional() }))
defineSchema(router.deleteSalvo, z.object({ id, salvo: id }))
defineSchema(router.takeSalvo, z.object({ id, salvo: id, override, revision }))
defineSchema(router.undoTake, z.object({ id, take: id.optional(), override }))
defineSchema(router.deleteScheduledTake, z.object({ id, scheduled: id }))
