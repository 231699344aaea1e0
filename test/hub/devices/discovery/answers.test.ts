import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTIONS_PER_HOST } from '../../../../hub/devices/discovery/pace.ts'
import { FOUND, searchAmongPeers } from '../../../kit/fleet/search-answers.ts'

const test = suite('answers to a search')

test('machines that answer are found once each, and one that answers with garbage disturbs no search', async () => {
  const { results, counts } = await searchAmongPeers('none')
  assert.deepEqual(results, FOUND)
  const { probes, searches, questions, portQuestions, connections } = counts
  // Each question is asked twice, because datagrams get lost.
  assert.deepEqual([probes, searches, questions], [2, 2, 2])
  // The port of the web server, and those of the 900 services that one machine announces, as far as they are asked for.
  assert.equal(portQuestions, 200)
  assert.ok(connections > 0 && connections <= CONNECTIONS_PER_HOST, String(connections))
})

test.run()
