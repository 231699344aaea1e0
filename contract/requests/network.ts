// Request schemas of the calls for the network of the machine.
import { listNetwork } from '../machine/network.ts'
import { defineSchema, emptyRequest } from './schema.ts'

defineSchema(listNetwork, emptyRequest)
