// Which parameters each of Stripe's calls has: the table `src/stripe/parameters.json`, by which the sandbox refuses what
// Stripe would refuse. Written anew, for another version of the library, by
//
//     npm install --save-exact stripe@<version> && npm run parameters
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Declarations } from './declarations.js';

export const PACKAGE = fileURLToPath(new URL('node_modules/stripe', import.meta.url));
export const TABLE = fileURLToPath(new URL('../src/stripe/protocol/parameters.json', import.meta.url));

// What a shop like ours has a use for.
const RESOURCES = [
  'Charges',
  'Coupons',
  'Customers',
  'Disputes',
  'Events',
  'InvoiceItems',
  'InvoicePayments',
  'Invoices',
  'PaymentIntents',
  'PaymentMethods',
  'Prices',
  'Products',
  'PromotionCodes',
  'Refunds',
  'SetupIntents',
  'SubscriptionItems',
  'SubscriptionSchedules',
  'Subscriptions',
  'WebhookEndpoints',
];
// Of these only the addresses themselves: what lies below is another world.
const OUTSIDE =
  /balance|funding|sources|tax_ids|verify|increment|customer_cash|amount_details|_lines$|lines\/|attach_payment|features|credit_notes|discount$/;
// Each way to pay brings a tree of its own; ours is the card.
const WAYS_TO_PAY = ['payment_method_options', 'payment_method_data', 'payment_method_configuration_details'];
const OURS = ['card', 'type', 'billing_details', 'metadata', 'allow_redisplay'];
// A longer list of words is about the ways to pay, or the kinds of events: known elsewhere, and different every month.
const WORDS_MAX = 40;

export function table(folder = PACKAGE) {
  const declarations = new Declarations(folder);
  const calls = {};
  for (const resource of RESOURCES) {
    for (const [call, params] of callsOf(declarations, folder, resource)) {
      calls[call] = params;
    }
  }
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const api = /ApiVersion = '([^']+)'/.exec(readFileSync(join(folder, 'esm/apiVersion.js'), 'utf8'))[1];
  const sorted = Object.fromEntries(Object.entries(calls).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { source: `the type declarations of npm's stripe@${version}`, api_version: api, calls: sorted };
}

/** One call a line: a change of the version can be read. */
export function written({ calls, ...head }) {
  const lines = Object.entries(calls).map(([call, params]) => `    ${JSON.stringify(call)}: ${JSON.stringify(params)}`);
  const facts = Object.entries(head).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},`);
  return `{\n${facts.join('\n')}\n  "calls": {\n${lines.join(',\n')}\n  }\n}\n`;
}

function* callsOf(declarations, folder, resource) {
  const source = readFileSync(join(folder, 'esm/resources', `${resource}.js`), 'utf8');
  const file = declarations.resource(resource);
  const [{ methods }] = [...file.names.values()].filter((declared) => declared.methods);
  const bodies = source.matchAll(/^ {4}(\w+)\([^)]*\) \{\s*(?:\/\/[^\n]*\s*)*return this\._makeRequest\('(\w+)', ([`'])(.*?)\3/gm);
  for (const [, method, verb, , path] of bodies) {
    const address = path.replace(/\$\{[^}]*\}/g, '{id}');
    if (OUTSIDE.test(address)) {
      continue;
    }
    const declared = methods.get(method)?.params;
    const shape = declared ? shapeOf(declarations, declared, file, []) : {};
    yield [`${verb} ${address}`, shape];
  }
}

const PLAIN = { string: 'text', number: 'number', boolean: 'flag', Decimal: 'number', MetadataParam: 'map', Metadata: 'map' };

/**
 * A parameter's shape: `text`, `number`, `flag`, `map` (names of one's own), `any` (not described here), words to choose
 * from, `{"*": …}` for a list, `{"|": […]}` for one of several, or names, of which those with `!` must be sent.
 */
function shapeOf(declarations, type, scope, path) {
  if (type.literal !== undefined) {
    return [type.literal];
  }
  if (type.union) {
    return either(type.union.filter(says).map((inner) => shapeOf(declarations, inner, scope, path)));
  }
  if (type.fields) {
    return names(declarations, type, scope, path);
  }
  const [name] = type.name;
  if (name === 'Emptyable') {
    return shapeOf(declarations, type.of[0], scope, path);
  }
  if (name === 'Array') {
    return { '*': shapeOf(declarations, type.of[0], scope, path) };
  }
  if (type.name.length === 1 && PLAIN[name]) {
    return PLAIN[name];
  }
  const found = declarations.lookUp(type.name, scope);
  if (!found) {
    throw new Error(`${type.name.join('.')} is declared nowhere`);
  }
  return shapeOf(declarations, found.type ?? found, found.scope, path);
}

const says = (type) => type.literal !== '' && !['null', 'undefined', 'OtherString'].includes(type.name?.[0]);

function either(shapes) {
  const words = shapes.filter(Array.isArray).flat();
  if (words.length > WORDS_MAX) {
    return 'text';
  }
  const others = shapes.filter((shape) => !Array.isArray(shape));
  const all = words.length > 0 ? [words, ...others] : others;
  return all.length === 1 ? all[0] : { '|': all };
}

function names(declarations, { fields, bases }, scope, path) {
  const all = {};
  for (const base of bases) {
    Object.assign(all, shapeOf(declarations, base, scope, path));
  }
  const below = path.at(-1);
  for (const [name, { type, optional }] of fields) {
    if (name === '*') {
      return 'map';
    }
    const mark = optional ? '' : '!';
    const foreign = WAYS_TO_PAY.includes(below) && !OURS.includes(name);
    all[name + mark] = foreign ? 'any' : shapeOf(declarations, type, scope, [...path, name]);
  }
  return all;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(TABLE, written(table()));
}
