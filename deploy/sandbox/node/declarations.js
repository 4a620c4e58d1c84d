// Reads the type declarations of Stripe's Node library: generated from Stripe's own description of the API, they say for
// one API version which parameters each call has and which fields each object has. No compiler is needed: the
// declarations use little of the language.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const TOKENS =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[A-Za-z_$][\w$]*|-?\d+(?:\.\d+)?|=>|\.\.\.|[^\s\w]/g;

/** All names that a file declares, with the names of other files it uses. */
export class Declarations {
  #files = new Map();

  /** @param {string} folder of the package, with `esm/resources` below it */
  constructor(folder) {
    this.folder = join(folder, 'esm');
  }

  file(path) {
    if (!this.#files.has(path)) {
      this.#files.set(path, parse(readFileSync(path, 'utf8'), path));
    }
    return this.#files.get(path);
  }

  resource(name) {
    return this.file(join(this.folder, 'resources', `${name}.d.ts`));
  }

  /** Resolves a dotted name in a scope: the interface or the aliased type, with its scope. */
  lookUp(path, scope) {
    const [first, ...rest] = path;
    for (let at = scope; at; at = at.outer) {
      const found = this.#within(at, first, rest);
      if (found) {
        return found;
      }
    }
    return null;
  }

  #within(scope, first, rest) {
    const from = scope.imports.get(first);
    if (from) {
      const file = this.file(from.file);
      return from.name === '*' ? this.#within(file, rest[0], rest.slice(1)) : this.#within(file, from.name, rest);
    }
    if (rest.length === 0) {
      const declared = scope.names.get(first);
      return declared ? { ...declared, scope } : null;
    }
    const inner = scope.spaces.get(first);
    return inner ? this.#within(inner, rest[0], rest.slice(1)) : null;
  }
}

function parse(text, path) {
  const tokens = [...text.matchAll(TOKENS)].map(([token]) => token).filter((token) => !/^\/[/*]/.test(token));
  return new Parser(tokens, path).scope(null);
}

class Parser {
  constructor(tokens, path) {
    this.tokens = tokens;
    this.path = path;
    this.at = 0;
  }

  peek() {
    return this.tokens[this.at];
  }

  next() {
    return this.tokens[this.at++];
  }

  skip(token) {
    if (this.peek() !== token) {
      return false;
    }
    this.at += 1;
    return true;
  }

  expect(token) {
    if (!this.skip(token)) {
      const near = this.tokens.slice(this.at - 5, this.at + 5).join(' ');
      throw new Error(`${this.path}: expected ${token} near: ${near}`);
    }
  }

  scope(outer) {
    const scope = { outer, names: new Map(), spaces: new Map(), imports: new Map() };
    while (this.peek() !== undefined && this.peek() !== '}') {
      this.#declaration(scope);
    }
    return scope;
  }

  #declaration(scope) {
    while (this.skip('export') || this.skip('declare') || this.skip('abstract')) {
      // Words that say nothing about the shape.
    }
    const word = this.next();
    switch (word) {
      case 'import':
        return this.#import(scope);
      case 'interface': {
        const name = this.next();
        return void scope.names.set(name, this.#interface());
      }
      case 'type': {
        const name = this.next();
        this.#generics();
        this.expect('=');
        scope.names.set(name, { type: this.type() });
        return void this.skip(';');
      }
      case 'namespace': {
        const name = this.next();
        this.expect('{');
        const inner = this.scope(scope);
        this.expect('}');
        const known = scope.spaces.get(name);
        if (known) {
          inner.names.forEach((value, key) => known.names.set(key, value));
          inner.spaces.forEach((value, key) => known.spaces.set(key, value));
        } else {
          scope.spaces.set(name, inner);
        }
        return;
      }
      case 'class':
        return this.#class(scope);
      case '{':
      case '*':
        // Handed on from another file.
        this.at -= 1;
        return this.#import(scope);
      default:
        return this.#passOver();
    }
  }

  #import(scope) {
    const names = [];
    while (this.peek() !== 'from' && this.peek() !== ';') {
      names.push(this.next());
    }
    if (!this.skip('from')) {
      return void this.skip(';');
    }
    const file = join(dirname(this.path), this.next().slice(1, -1).replace(/\.js$/, '.d.ts'));
    this.skip(';');
    const words = names.filter((token) => !['{', '}', 'type'].includes(token)).join(' ');
    for (const part of words.split(',').filter((part) => part.trim())) {
      const [name, , as = name] = part.trim().split(/\s+/);
      scope.imports.set(as, { file, name });
    }
  }

  #generics() {
    if (!this.skip('<')) {
      return [];
    }
    const of = [];
    do {
      of.push(this.type());
      if (this.skip('=')) {
        this.type();
      }
    } while (this.skip(','));
    this.expect('>');
    return of;
  }

  #interface() {
    this.#generics();
    const bases = [];
    if (this.skip('extends')) {
      do {
        bases.push(this.type());
      } while (this.skip(','));
    }
    return { fields: this.#fields(), bases };
  }

  #fields() {
    this.expect('{');
    const fields = new Map();
    while (!this.skip('}')) {
      this.skip('readonly');
      if (this.skip('[')) {
        // Any name: metadata.
        while (!this.skip(']')) {
          this.next();
        }
        this.expect(':');
        fields.set('*', { optional: true, type: this.type() });
      } else {
        const name = this.next().replace(/^['"]|['"]$/g, '');
        const optional = this.skip('?');
        if (this.peek() === '(' || this.peek() === '<') {
          this.#passOver();
          continue;
        }
        this.expect(':');
        fields.set(name, { optional, type: this.type() });
      }
      this.skip(';') || this.skip(',');
    }
    return fields;
  }

  /** A resource: which type the parameters of each of its methods have, and what it answers. */
  #class(scope) {
    const name = this.next();
    while (this.peek() !== '{') {
      this.next();
    }
    this.expect('{');
    const methods = new Map();
    while (!this.skip('}')) {
      const method = this.next();
      if (!this.skip('(')) {
        this.#passOver();
        continue;
      }
      const parameters = new Map();
      while (!this.skip(')')) {
        const parameter = this.next();
        this.skip('?');
        this.expect(':');
        parameters.set(parameter, this.type());
        this.skip(',');
      }
      const answer = this.skip(':') ? this.type() : null;
      this.skip(';');
      // Of several forms of one call the first is the whole one.
      if (!methods.has(method)) {
        methods.set(method, { params: parameters.get('params') ?? null, answer });
      }
    }
    scope.names.set(name, { methods });
  }

  /** To the end of a member or statement that says nothing about the shape. */
  #passOver() {
    let depth = 0;
    while (this.peek() !== undefined) {
      const token = this.peek();
      if (depth === 0 && token === '}') {
        return;
      }
      this.at += 1;
      depth += ['{', '(', '['].includes(token) ? 1 : ['}', ')', ']'].includes(token) ? -1 : 0;
      if (depth === 0 && (token === ';' || token === '}')) {
        return;
      }
    }
  }

  type() {
    this.skip('|');
    const of = [this.#intersection()];
    while (this.skip('|')) {
      of.push(this.#intersection());
    }
    return of.length === 1 ? of[0] : { union: of };
  }

  #intersection() {
    const of = [this.#postfix()];
    while (this.skip('&')) {
      of.push(this.#postfix());
    }
    return of.length === 1 ? of[0] : { all: of };
  }

  #postfix() {
    let type = this.#single();
    while (this.peek() === '[') {
      this.next();
      if (this.skip(']')) {
        type = { name: ['Array'], of: [type] };
      } else {
        this.type();
        this.expect(']');
        type = { name: ['unknown'], of: [] };
      }
    }
    return type;
  }

  #single() {
    if (this.peek() === '{') {
      return { fields: this.#fields(), bases: [] };
    }
    if (this.peek() === '(') {
      return this.#bracketed();
    }
    const token = this.next();
    if (/^['"]/.test(token)) {
      return { literal: token.slice(1, -1) };
    }
    if (['keyof', 'typeof', 'infer'].includes(token)) {
      this.#postfix();
      return { name: ['unknown'], of: [] };
    }
    const name = [token];
    while (this.skip('.')) {
      name.push(this.next());
    }
    return { name, of: this.#generics() };
  }

  #bracketed() {
    let depth = 0;
    const begin = this.at;
    do {
      const token = this.next();
      depth += token === '(' ? 1 : token === ')' ? -1 : 0;
    } while (depth > 0);
    if (this.skip('=>')) {
      this.type();
      return { name: ['unknown'], of: [] };
    }
    this.at = begin + 1;
    const type = this.type();
    this.expect(')');
    return type;
  }
}
