// Answers to a search for devices pass the firewall, with a real nftables, in a network namespace.
import assert from 'node:assert/strict'
import { FOUND, searchAmongPeers } from '../kit/fleet/search-answers.ts'
import { missingForMachine } from '../kit/machine/machine.ts'
import { suiteRequiring } from '../kit/runner/suite.ts'

const test = suiteRequiring('answers to a search', missingForMachine())

test('a firewall without open ports lets the answers to the questions of a search in, and nothing else', async () => {
  const { results, refused } = await searchAmongPeers('blocked')
  assert.deepEqual(results, FOUND)
  // Two answers to each of two questions of multicast DNS, which come from another port than its own.
  assert.equal(refused, 4)
})

test.run()
