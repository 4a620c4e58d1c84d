interface SectionHeaderProps {
  title: string | null;
  description?: string | null;
  id?: string;
}

export function SectionHeader({ title, description, id }: SectionHeaderProps) {
  if (!title && !description) return null;
  return (
    <header className="mx-auto mb-10 max-w-text text-center md:mb-14">
      {title && (
        <h2 id={id} className="display text-3xl">
          {title}
        </h2>
      )}
      {description && <p className="mt-4 text-lg text-balance text-muted">{description}</p>}
    </header>
  );
}
