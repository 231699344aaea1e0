// Cases for rules that compare values.
import * as compare from '../../../../contract/rules/compare.ts'
import type * as rules from '../../../../contract/rules/rules.ts'
import { table } from './table.ts'

const withField = <Field extends string>(
  rule: (value: string, all: Record<Field, string>) => rules.Fault | undefined,
  field: Field,
  other: string
) => {
  return (value: string) => rule(value, { [field]: other } as Record<Field, string>)
}

table("sameAs('password')", withField(compare.sameAs('password'), 'password', 'Secret1'), [
  ['Secret1', 'ok'],
  ['secret1', 'different'],
  ['Secret1 ', 'different'],
  ['', 'different']
])

table("notSameAs('key')", withField(compare.notSameAs('key'), 'key', 'Main-1'), [
  ['Main-1', 'same'],
  ['main-1', 'ok'],
  ['Main-2', 'ok'],
  ['', 'ok']
])

table("notSameAs('key', 'taken'), empty field", withField(compare.notSameAs('key', 'taken'), 'key', ''), [
  ['', 'ok'],
  ['Main-1', 'ok']
])

table("notSameHost('other'), an address", withField(compare.notSameHost('other'), 'other', '10.0.0.1'), [
  ['10.0.0.1', 'same'],
  ['10.0.0.2', 'ok'],
  ['10.0.0.11', 'ok'],
  ['', 'ok']
])

table("notSameHost('other'), a domain", withField(compare.notSameHost('other'), 'other', 'Live.Example'), [
  ['live.example', 'same'],
  ['LIVE.EXAMPLE.', 'same'],
  ['live.example:1935', 'same'],
  ['rtmp://live.example/app', 'same'],
  ['rtmps://me:secret@live.example:443/app?x=1', 'same'],
  ['rtmp://other.example/live.example', 'ok'],
  ['live.example.org', 'ok'],
  ['', 'ok']
])

table("notSameHost('other'), empty field", withField(compare.notSameHost('other'), 'other', ''), [
  ['', 'ok'],
  ['live.example', 'ok']
])

table('notAmong(keys)', compare.notAmong(['Main-1', 'Main-2']), [
  ['Main-1', 'taken'],
  ['Main-2', 'taken'],
  ['main-1', 'ok'],
  ['Main-3', 'ok'],
  ['', 'ok']
])

table('notAmong(names, true)', compare.notAmong(['North', 'ÄPFEL'], true), [
  ['north', 'taken'],
  ['NORTH', 'taken'],
  ['äpfel', 'taken'],
  ['South', 'ok']
])
