// Whether an answer has the shape that Stripe's declarations give its object.

const PLAIN = { string: 'string', number: 'number', boolean: 'boolean', Decimal: 'string' };
const UNSEEN = ['unknown', 'any', 'never', 'Record', 'Partial', 'PreviousAttributes', 'OtherString'];

export class Conformance {
  #declarations;
  #root;

  /** @param {string} resource whose file declares the type */
  constructor(declarations, resource) {
    this.#declarations = declarations;
    this.#root = declarations.resource(resource);
  }

  /** What is wrong, each with its place; nothing when all is well. */
  complaints(value, name) {
    return this.#check(value, { name: [name], of: [] }, this.#root, name);
  }

  #check(value, type, scope, path) {
    if (type.literal !== undefined) {
      return value === type.literal ? [] : [`${path}: ${show(value)} is not ${type.literal}`];
    }
    if (type.union) {
      return this.#oneOf(value, type.union, scope, path);
    }
    if (type.all) {
      return [];
    }
    if (type.fields) {
      return this.#fields(value, type, scope, path);
    }
    return this.#named(value, type, scope, path);
  }

  #named(value, type, scope, path) {
    const [name] = type.name;
    if (PLAIN[name] && type.name.length === 1) {
      return typeof value === PLAIN[name] ? [] : [`${path}: ${show(value)} is no ${PLAIN[name]}`];
    }
    if (name === 'null' || name === 'undefined') {
      return value === null ? [] : [`${path}: ${show(value)} is not null`];
    }
    if (name === 'Array') {
      return Array.isArray(value)
        ? value.flatMap((item, at) => this.#check(item, type.of[0], scope, `${path}[${at}]`))
        : [`${path}: ${show(value)} is no list`];
    }
    if (name === 'ApiList') {
      return this.#list(value, type.of[0], scope, path);
    }
    if (UNSEEN.includes(type.name.at(-1))) {
      return [];
    }
    const found = this.#declarations.lookUp(type.name, scope);
    if (!found) {
      return [`${path}: ${type.name.join('.')} is declared nowhere`];
    }
    return this.#check(value, found.type ?? found, found.scope, path);
  }

  #list(value, of, scope, path) {
    if (value?.object !== 'list' || typeof value.url !== 'string' || typeof value.has_more !== 'boolean') {
      return [`${path}: ${show(value)} is no list object`];
    }
    return this.#check(value.data, { name: ['Array'], of: [of] }, scope, `${path}.data`);
  }

  /** Any that fits; else what is wrong with the nearest. */
  #oneOf(value, types, scope, path) {
    const words = types.filter((type) => type.literal !== undefined).map((type) => type.literal);
    // Stripe's enumerations may grow, the sandbox's may not.
    if (words.length > 0 && typeof value === 'string') {
      return words.includes(value) ? [] : [`${path}: ${value} is none of ${words.join(', ').slice(0, 200)}`];
    }
    const tried = types.map((type) => this.#check(value, type, scope, path));
    return tried.reduce((nearest, one) => (distance(one, path) < distance(nearest, path) ? one : nearest));
  }

  #fields(value, { fields, bases }, scope, path) {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      return [`${path}: ${show(value)} is no object`];
    }
    const known = new Map([...bases.flatMap((base) => this.#inherited(base, scope)), ...fields].map(([name, field]) => [name, { scope, ...field }]));
    const any = known.get('*');
    const complaints = [];
    for (const [name, inner] of Object.entries(value)) {
      const field = known.get(name) ?? any;
      if (field) {
        complaints.push(...this.#check(inner, field.type, field.scope, `${path}.${name}`));
      } else if (fields.size > 0) {
        complaints.push(`${path}.${name}: Stripe has no such field`);
      }
    }
    for (const [name, { optional }] of known) {
      if (!optional && !(name in value)) {
        complaints.push(`${path}.${name}: is missing`);
      }
    }
    return complaints;
  }

  #inherited(base, scope) {
    const found = this.#declarations.lookUp(base.name, scope);
    if (!found?.fields) {
      return [];
    }
    const own = [...found.fields].map(([name, field]) => [name, { ...field, scope: found.scope }]);
    return [...found.bases.flatMap((base) => this.#inherited(base, found.scope)), ...own];
  }
}

// A complaint about the thing itself says that it is of another kind altogether.
const distance = (complaints, path) =>
  complaints.length + (complaints.some((one) => one.startsWith(`${path}: `) || one.startsWith(`${path}.object: `)) ? 1000 : 0);

const show = (value) => JSON.stringify(value)?.slice(0, 80) ?? 'undefined';
