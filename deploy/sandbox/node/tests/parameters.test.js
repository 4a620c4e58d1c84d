import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { TABLE, table, written } from '../parameters.js';
import { API_VERSION } from '../sandbox.js';

test('the table of parameters is what the pinned library says', () => {
  assert.equal(readFileSync(TABLE, 'utf8'), written(table()), 'run: npm run parameters');
});

test('the library speaks the version we pin', () => {
  assert.equal(table().api_version, API_VERSION);
});
